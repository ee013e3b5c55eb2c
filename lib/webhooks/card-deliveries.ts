import type { ReadContext } from "#lib/base/context.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { listEndpoints } from "#lib/webhooks/endpoints.ts";

/** A delivery, and where it goes. */
export interface CardDelivery extends Delivery {
  webhookUrl: string | null;
}

/** The newest deliveries about a card, to whichever endpoint. */
export async function listCardDeliveries(
  ctx: ReadContext,
  cardId: string,
  limit: number,
): Promise<CardDelivery[]> {
  const found: CardDelivery[] = [];
  for (const { id: endpointId, webhookUrl } of await listEndpoints(ctx)) {
    const { rows } = await listDeliveries(ctx, { endpointId, cardId, limit });
    found.push(...rows.map((row) => ({ ...row, webhookUrl })));
  }
  return found.toSorted((a, b) => b.eventId.localeCompare(a.eventId)).slice(0, limit);
}
