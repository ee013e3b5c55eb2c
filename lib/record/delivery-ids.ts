/** Which delivery: of which event, to which endpoint of its integrator. */
export interface DeliveryKey {
  integratorId: string;
  endpointId: string;
  eventId: string;
}

/** How many of an id's last hexadecimal digits are random. */
const RANDOM_DIGITS = 12;

/**
 * Computes the id of a delivery from the id of its event, so that it needs no column and no index. The first endpoint
 * has the integrator's id, so its deliveries have the ids of their events. Every other endpoint changes the random part
 * of the event's id. The function is its own inverse: given a delivery's id as `eventId`, it returns the event's id.
 */
export function toDeliveryId({ integratorId, endpointId, eventId }: DeliveryKey): string {
  const random = toRandom(eventId) ^ toRandom(endpointId) ^ toRandom(integratorId);
  return eventId.slice(0, -RANDOM_DIGITS) + random.toString(16).padStart(RANDOM_DIGITS, "0");
}

function toRandom(id: string): bigint {
  return BigInt(`0x${id.slice(-RANDOM_DIGITS)}`);
}
