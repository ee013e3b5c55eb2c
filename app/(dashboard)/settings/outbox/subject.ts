import { MESSAGE_KINDS } from "#lib/messages/declared.ts";
import type { SentMessage } from "#lib/messages/message-reads.ts";

/** The subject of a message, or what kind it is where its text is no longer kept. */
export function toSubject({ framed, kind }: SentMessage): string {
  return framed?.subject ?? MESSAGE_KINDS.find((each) => each.kind === kind)?.name ?? kind;
}
