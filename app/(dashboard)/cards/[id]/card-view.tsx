"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { z } from "zod";
import { CardFace } from "../../../ui/card-face.tsx";
import { CardStatusLabel } from "../../../ui/card-status.tsx";
import { Money } from "../../../ui/money.tsx";
import { CardActions } from "./card-actions.tsx";
import { CloseDialog } from "./close-dialog.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { FreezeNotice } from "./freeze-notice.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { useFreeze } from "./use-freeze.ts";
import { WithdrawDialog } from "./withdraw-dialog.tsx";
import type { cardSchema } from "#lib/api/contract/resources.ts";

export type CardResource = z.output<typeof cardSchema>;

/** What can be done to a card; in the address, so that it can be linked to. */
export const ACTS = ["freeze", "unfreeze", "credit", "debit", "withdraw", "close"] as const;

export type Act = (typeof ACTS)[number];

/** The card itself: its face, state, money, and everything that can be done to it. */
export function CardView({
  card: saved,
  expired,
  floatAvailable,
  obstacles,
}: {
  card: CardResource;
  expired: boolean;
  floatAvailable: number;
  /** Why this person may not change its state or its money; null where they may. */
  obstacles: { state: string | null; funds: string | null };
}) {
  const [act, setAct] = useQueryState("act", parseAsStringLiteral(ACTS));
  const close = () => void setAct(null);
  const freeze = useFreeze(saved, close);
  const { card } = freeze;
  const { currency } = card;
  const dialog = { card, currency, onClose: close };
  return (
    <section aria-label="Card" className="flex flex-col gap-5 md:flex-row md:gap-8">
      <CardFace
        design={card.design_type}
        last4={card.last4}
        name={card.card_name}
        status={card.status}
        valid={card.valid}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-xl font-semibold tracking-tight">{card.card_name}</h1>
          <span aria-live="polite">
            <CardStatusLabel status={card.status} />
          </span>
        </div>
        <FreezeNotice card={card} />
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Figure amount={card.balance} currency={currency} isMain term="Balance" />
          <Figure amount={card.held} currency={currency} term="Held" />
          <Figure amount={card.available} currency={currency} term="Available" />
        </dl>
        <CardActions
          card={card}
          expired={expired}
          obstacles={obstacles}
          onAct={(next) => void setAct(next)}
        />
      </div>
      <FreezeDialog act={act} freeze={freeze} onClose={close} />
      {(act === "credit" || act === "debit") && (
        <MoveDialog {...dialog} direction={act} floatAvailable={floatAvailable} />
      )}
      {act === "withdraw" && <WithdrawDialog {...dialog} floatAvailable={floatAvailable} />}
      {act === "close" && <CloseDialog {...dialog} />}
    </section>
  );
}

function Figure({
  term,
  amount,
  currency,
  isMain = false,
}: {
  term: string;
  amount: number;
  currency: string;
  isMain?: boolean;
}) {
  return (
    <div className="flex flex-col-reverse justify-end gap-0.5">
      <dt className="text-muted text-xs">{term}</dt>
      <dd className={isMain ? "text-2xl font-semibold" : "text-2xl font-normal"}>
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  );
}
