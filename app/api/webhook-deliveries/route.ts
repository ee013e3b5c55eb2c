import { listWebhookDeliveries as operation } from "#lib/api/contract/webhooks.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toDeliveryResource } from "#lib/api/webhook-resources.ts";
import { listDeliveries } from "#lib/deliveries.ts";

export const GET = handleRead(operation, async (ctx, { query: { card_id: cardId, ...filter } }) => {
  const { rows, nextCursor } = await listDeliveries(ctx, { ...filter, cardId });
  return { body: { data: rows.map(toDeliveryResource), next_cursor: nextCursor } };
});
