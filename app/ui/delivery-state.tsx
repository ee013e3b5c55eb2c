import { CircleCheck, CircleSlash, CircleX, Clock, RotateCw } from "lucide-react";
import { StateLabel } from "./state-label.tsx";
import type { DeliveryState } from "#lib/webhooks/delivery-states.ts";

const LOOKS = {
  pending: { icon: Clock, word: "Queued", look: "text-pending" },
  delivered: { icon: CircleCheck, word: "Delivered", look: "text-active" },
  exhausted: { icon: CircleX, word: "Failed", look: "text-declined" },
  stopped: { icon: CircleSlash, word: "Stopped", look: "text-muted" },
} as const satisfies Record<DeliveryState, object>;

const RETRYING = { ...LOOKS.pending, icon: RotateCw, word: "Retrying" } as const;

/** The names of the states in filters. */
export const DELIVERY_STATE_NAMES: Readonly<Record<DeliveryState, string>> = {
  pending: LOOKS.pending.word,
  delivered: LOOKS.delivered.word,
  exhausted: LOOKS.exhausted.word,
  stopped: LOOKS.stopped.word,
};

/** A delivery's state as an icon, a word, and a color. */
export function DeliveryStateLabel({
  state,
  hasFailed = false,
}: {
  state: DeliveryState;
  /** Whether an attempt has failed: then a pending delivery is being retried. */
  hasFailed?: boolean;
}) {
  const { icon: Icon, word, look } = state === "pending" && hasFailed ? RETRYING : LOOKS[state];
  return <StateLabel icon={<Icon aria-hidden className="size-3.5" />} look={look} word={word} />;
}
