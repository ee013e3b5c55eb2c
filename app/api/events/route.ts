import type { z } from "zod";
import { listEvents as operation } from "#lib/operations/webhooks/list-events.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEventList } from "#lib/api/wire/webhook-resources.ts";
import { findFeedStart, getFeedEnd, listEvents } from "#lib/webhooks/event-reads.ts";
import { waitForEvents } from "#lib/webhooks/event-wait.ts";

export const GET = serve(operation, {
  reads: async (read, { query }, { actor, request, onWaited }) => {
    const { event: events, card_id: cardId, subject_id: subjectId, wait, limit } = query;
    const from = await read((ctx) => findStart(ctx, query));
    const { rows, nextCursor } = await waitForEvents(
      () => read((ctx) => listEvents(ctx, { events, cardId, subjectId, limit, after: from })),
      { integratorId: actor.integratorId, waitMs: wait * 1_000, signal: request.signal, onWaited },
    );
    return { text: toEventList(rows, nextCursor) };
  },
});

/** The cursor after which to list. */
async function findStart(
  ctx: ReadContext,
  { after, created_at: createdAt }: z.output<(typeof operation)["query"]>,
): Promise<string | undefined> {
  if (createdAt) {
    return findFeedStart(ctx, createdAt);
  }
  return after === "now" ? getFeedEnd(ctx) : after;
}
