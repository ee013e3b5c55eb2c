import { Ban, CircleCheck, Snowflake } from "lucide-react";
import type { CardStatus } from "#lib/cards/card-state.ts";

const LOOKS = {
  active: { icon: CircleCheck, word: "Active", look: "text-active" },
  frozen: { icon: Snowflake, word: "Frozen", look: "text-frozen bg-frozen-soft" },
  closed: { icon: Ban, word: "Closed", look: "text-muted" },
} as const satisfies Record<CardStatus, object>;

/** A card's status: an icon, a word and a color that say the same. */
export function CardStatusLabel({ status }: { status: CardStatus }) {
  const { icon: Icon, word, look } = LOOKS[status];
  return (
    <span
      className={`border-border inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-xs font-medium ${look}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {word}
    </span>
  );
}
