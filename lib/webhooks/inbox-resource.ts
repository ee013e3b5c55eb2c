import type { InboxNotification } from "#lib/webhooks/inbox.ts";
import { explainFault } from "#lib/webhooks/signature-faults.ts";

export function toInboxNotificationResource(notification: InboxNotification) {
  const { id, createdAt, event, deliveryId, secret, fault, headers, body } = notification;
  return {
    id,
    received_at: createdAt.toISOString(),
    event,
    delivery_id: deliveryId,
    verified: secret !== null,
    secret,
    failure: fault,
    explanation: explainFault(fault),
    headers,
    body,
  };
}
