import { listEvents as operation } from "#lib/api/contract/webhooks.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toEventResource } from "#lib/api/wire/webhook-resources.ts";
import { listEvents } from "#lib/webhooks/event-reads.ts";

export const GET = handleReadOnce(
  operation,
  async (ctx, { query: { card_id: cardId, ...filter } }) => {
    const { rows, nextCursor } = await listEvents(ctx, { ...filter, cardId });
    return { body: { data: rows.map(toEventResource), next_cursor: nextCursor } };
  },
);
