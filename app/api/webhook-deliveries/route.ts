import { listWebhookDeliveries as operation } from "#lib/api/contract/webhooks.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toDeliveryResource } from "#lib/api/wire/webhook-resources.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";

export const GET = handleReadOnce(
  operation,
  async (ctx, { query: { card_id: cardId, ...filter } }) => {
    const { rows, nextCursor } = await listDeliveries(ctx, { ...filter, cardId });
    return { body: { data: rows.map(toDeliveryResource), next_cursor: nextCursor } };
  },
);
