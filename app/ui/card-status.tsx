import { StateLabel } from "./state-label.tsx";
import { StatusIcon } from "./status-icon.tsx";
import type { CardStatus } from "#lib/cards/card-state.ts";

const LOOKS = {
  active: { icon: "circle-check", word: "Active", look: "text-active" },
  frozen: { icon: "snowflake", word: "Frozen", look: "text-frozen bg-frozen-soft" },
  closed: { icon: "ban", word: "Closed", look: "text-muted" },
} as const satisfies Record<CardStatus, object>;

/** A card's status as an icon, a word, and a color. */
export function CardStatusLabel({ status }: { status: CardStatus }) {
  const { icon, word, look } = LOOKS[status];
  return <StateLabel icon={<StatusIcon name={icon} />} look={look} word={word} />;
}
