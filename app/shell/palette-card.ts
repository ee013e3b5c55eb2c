import {
  ArrowDownToLine,
  ArrowUpFromLine,
  CreditCard,
  ShieldAlert,
  Snowflake,
  Sun,
  Undo2,
} from "lucide-react";
import type { FoundCard } from "./palette-search.ts";
import type { FoundItem } from "./search-sources.ts";
import { toCardTitle } from "../ui/card-title.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import type { DeadlineClock } from "#lib/base/deadline-clock.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import { findProtective } from "#lib/cards/protective-freeze.ts";

/** Why this person may not change a card's state or move funds; null if they may. */
export interface PaletteDisabledReasons {
  state: string | null;
  funds: string | null;
}

const FREEZE = { act: "freeze", verb: "Freeze", icon: Snowflake, needs: "state" } as const;
const UNFREEZE = { act: "unfreeze", verb: "Unfreeze", icon: Sun, needs: "state" } as const;
const LOST = { act: "lost", verb: "Lost or stolen:", icon: ShieldAlert, needs: "state" } as const;
const FUNDS = [
  { act: "credit", verb: "Credit", icon: ArrowDownToLine, needs: "funds" },
  { act: "debit", verb: "Debit", icon: ArrowUpFromLine, needs: "funds" },
  { act: "withdraw", verb: "Withdraw all from", icon: Undo2, needs: "funds" },
] as const;

type Offer = typeof FREEZE | typeof UNFREEZE | typeof LOST | (typeof FUNDS)[number];

/** A card, its available actions, and the reasons for the disabled ones. */
export function toCardItems(
  card: FoundCard,
  disabledReasons: PaletteDisabledReasons,
  clock: DeadlineClock,
): FoundItem[] {
  const title = toCardTitle(card.card_name, card.last4);
  const offers = [...toStatusOffers(card), LOST, ...FUNDS];
  return [
    { href: `/cards/${card.id}`, name: title, detail: card.status, icon: CreditCard },
    ...offers.map((offer) => {
      const { act, verb, icon } = offer;
      const reason = disabledReasons[offer.needs] ?? toStateReason(card, offer, clock);
      return {
        href: `/cards/${card.id}?act=${act}`,
        name: `${verb} ${title}`,
        detail: reason,
        icon,
        isDisabled: reason !== null,
      };
    }),
  ];
}

/** A freeze that protects the card can only be lifted on its page, which shows the reason. */
function toStatusOffers({ status, freezes }: FoundCard): readonly Offer[] {
  if (status !== "frozen") {
    return [FREEZE];
  }
  return findProtective(freezes) ? [] : [UNFREEZE];
}

function toStateReason(card: FoundCard, { act }: Offer, clock: DeadlineClock): string | null {
  // A closed card can be replaced, too.
  if (act === "lost") {
    return null;
  }
  const rule = act === "withdraw" ? "debit" : act;
  const isEmpty = rule === "debit" && card.available <= 0;
  const empty = isEmpty ? "Nothing is available on this card." : null;
  const condition = { ...card, expired: hasPassed(clock, new Date(card.expiry), new Date()) };
  return cardCan[rule](condition)?.detail ?? empty;
}
