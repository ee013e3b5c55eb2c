/** Which delivery: of which event, to which endpoint of its integrator. */
export interface DeliveryKey {
  integratorId: string;
  endpointId: string;
  eventId: string;
}

/** How many of an id's last hexadecimal digits are random. */
const RANDOM_DIGITS = 12;

/**
 * The id of a delivery, made of its event's: the first endpoint has the integrator's id, and a delivery to it that of the
 * event. Another endpoint changes the random part of the event's id, always in the same way. So no column and no index is
 * needed, and the event's id follows from the delivery's: applied to that, the function gives it back.
 */
export function toDeliveryId({ integratorId, endpointId, eventId }: DeliveryKey): string {
  const random = toRandom(eventId) ^ toRandom(endpointId) ^ toRandom(integratorId);
  return eventId.slice(0, -RANDOM_DIGITS) + random.toString(16).padStart(RANDOM_DIGITS, "0");
}

function toRandom(id: string): bigint {
  return BigInt(`0x${id.slice(-RANDOM_DIGITS)}`);
}
