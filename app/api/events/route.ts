import { listEvents as operation } from "#lib/operations/webhooks/list-events.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEventList } from "#lib/api/wire/event.ts";
import { findFeedStart, listEvents } from "#lib/webhooks/event-reads.ts";
import { waitForEvents } from "#lib/webhooks/event-wait.ts";

export const GET = serve(operation, {
  reads: async (read, { query }, { actor, request, onWaited }) => {
    const { event: events, card_id: cardId, subject_id: subjectId, wait, limit } = query;
    const from = await findFeedStart(read, { after: query.after, createdAt: query.created_at });
    const { rows, nextCursor } = await waitForEvents(
      () => read((ctx) => listEvents(ctx, { events, cardId, subjectId, limit, after: from })),
      { integratorId: actor.integratorId, waitMs: wait * 1_000, signal: request.signal, onWaited },
    );
    return { text: toEventList(rows, nextCursor) };
  },
});
