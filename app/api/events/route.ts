import { listEvents as operation } from "#lib/api/contract/webhooks.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toEventResource } from "#lib/api/wire/webhook-resources.ts";
import { listEvents } from "#lib/webhooks/event-reads.ts";

export const GET = handleReadOnce(
  operation,
  async (ctx, { query: { event: events, card_id: cardId, subject_id: subjectId, ...page } }) => {
    const { rows, nextCursor } = await listEvents(ctx, { events, cardId, subjectId, ...page });
    return { body: { data: rows.map(toEventResource), next_cursor: nextCursor } };
  },
);
