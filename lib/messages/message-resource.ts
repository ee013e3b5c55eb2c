import type { SentMessage } from "#lib/messages/message-reads.ts";

export function toMessageResource(message: SentMessage) {
  const { subject = null, text = null, html = null, action } = message.framed ?? {};
  return {
    id: message.id,
    kind: message.kind,
    to: message.email,
    state: message.state,
    failure: message.failure,
    subject,
    text,
    html,
    link: action?.url ?? null,
    created_at: message.createdAt.toISOString(),
    sent_at: message.sentAt?.toISOString() ?? null,
  };
}
