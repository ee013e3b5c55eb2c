import { sql } from "drizzle-orm";
import type { AnyColumn, SQL } from "drizzle-orm";
import { toDeliveryId } from "#lib/record/delivery-ids.ts";
import type { webhookDeliveries } from "#db/schema/webhooks.ts";

/** The delivery of an event to one endpoint, and its state. */
export interface EventDelivery {
  id: string;
  webhookUrl: string | null;
  state: (typeof webhookDeliveries.$inferSelect)["state"];
}

interface Selected extends Pick<EventDelivery, "webhookUrl" | "state"> {
  endpointId: string;
}

/** The column for `toEventDeliveries`: each event's deliveries, except those to deleted endpoints. */
export function selectDeliveries(event: { integratorId: AnyColumn; id: AnyColumn }): SQL<string> {
  // Wrapped in `sql`, because Drizzle omits the table's name from columns of a select from a single table.
  const [id, integratorId] = [sql`${event.id}`, sql`${event.integratorId}`];
  return sql<string>`coalesce((
    select json_agg(json_build_object('endpointId', endpoint.id, 'webhookUrl', endpoint.url, 'state', delivery.state)
      order by endpoint.id)
    from webhook_endpoints endpoint
    join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id and delivery.event_id = ${id}
    where endpoint.integrator_id = ${integratorId} and endpoint.deleted_at is null), '[]')::text`;
}

/** The deliveries of an event, in the order in which their endpoints were created. */
export function toEventDeliveries(
  event: { integratorId: string; id: string },
  selected: string,
): EventDelivery[] {
  const deliveries: Selected[] = JSON.parse(selected);
  return deliveries.map(({ endpointId, ...shown }) => ({
    id: toDeliveryId({ integratorId: event.integratorId, endpointId, eventId: event.id }),
    ...shown,
  }));
}
