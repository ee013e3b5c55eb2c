import { toMissingRecord } from "../../../inspector/missing-record.tsx";
import type { InspectedRecord } from "../../../inspector/inspected-record.ts";
import { DeliveryRecord } from "./deliveries/[id]/delivery-record.tsx";
import { toLiveProps } from "./deliveries/[id]/delivery-watch.ts";
import { findDelivery } from "./deliveries/[id]/find-delivery.ts";
import type { Role } from "#lib/access/roles.ts";

/** The delivery that is open beside the list, and how the page stays up to date while it is. */
export async function inspectDelivery(
  id: string,
  role: Role,
): Promise<{ record: InspectedRecord; liveProps: { everyMs?: number } }> {
  const found = await findDelivery(id);
  if (!found) {
    return { record: toMissingRecord(id, "delivery"), liveProps: {} };
  }
  const record = {
    id,
    label: `Delivery: ${found.delivery.event}`,
    href: `/developers/webhooks/deliveries/${id}`,
    content: <DeliveryRecord found={found} heading="h2" role={role} />,
  };
  return { record, liveProps: toLiveProps(found.delivery) };
}
