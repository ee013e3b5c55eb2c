import { MESSAGE_KINDS } from "#lib/messages/declared.ts";
import type { SentMessage } from "#lib/messages/message-reads.ts";

/** The subject of a message, or its kind once its text is no longer kept. */
export function toSubject({ framed, kind }: SentMessage): string {
  return framed?.subject ?? MESSAGE_KINDS.find((each) => each.kind === kind)?.name ?? kind;
}
