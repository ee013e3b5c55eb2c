import { CircleCheck, CircleSlash, CircleX, Clock, Inbox } from "lucide-react";
import { StateLabel } from "./state-label.tsx";
import type { MessageState } from "#lib/messages/message-states.ts";

const LOOKS = {
  waiting: { icon: Clock, word: "Waiting", look: "text-pending" },
  sent: { icon: CircleCheck, word: "Sent", look: "text-active" },
  failed: { icon: CircleX, word: "Failed", look: "text-declined" },
  kept: { icon: Inbox, word: "Not sent", look: "text-muted" },
  withdrawn: { icon: CircleSlash, word: "Withdrawn", look: "text-muted" },
} as const satisfies Record<MessageState, object>;

/** A message's state as an icon, a word, and a color. */
export function MessageStateLabel({ state }: { state: MessageState }) {
  const { icon: Icon, word, look } = LOOKS[state];
  return <StateLabel icon={<Icon aria-hidden className="size-3.5" />} look={look} word={word} />;
}
