import { listWebhookDeliveries as operation } from "#lib/operations/webhooks/list-webhook-deliveries.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toDeliveryResource } from "#lib/webhooks/delivery-resource.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";

export const GET = serve(operation, {
  read: async (ctx, { query }) => {
    const {
      endpoint_id: endpointId,
      state: states,
      event: events,
      card_id: cardId,
      ...page
    } = query;
    const filter = { endpointId, states, events, cardId, ...page };
    const { rows, nextCursor } = await listDeliveries(ctx, filter);
    return { body: { data: rows.map(toDeliveryResource), next_cursor: nextCursor } };
  },
});
