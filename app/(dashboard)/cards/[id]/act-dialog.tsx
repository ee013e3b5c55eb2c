"use client";

import type { Act, CardResource } from "./card-view.tsx";
import { CloseDialog } from "./close-dialog.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { UnfreezeDialog } from "./unfreeze-dialog.tsx";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

/** What a change of status lets the page show: the status on its way, then the card as answered. */
export type StatusChange = {
  pending?: CardResource["status"] | null;
  answered?: CardResource;
};

/** The dialog of an act. */
export function ActDialog({
  act,
  card,
  floatAvailable,
  onClose,
  onStatus,
}: {
  act: Act;
  card: CardResource;
  floatAvailable: number;
  onClose: () => void;
  onStatus: (change: StatusChange) => void;
}) {
  const shared = { card, currency: card.currency, onClose };
  if (act === "freeze") {
    return <FreezeDialog card={card} onClose={onClose} onStatus={onStatus} />;
  }
  if (act === "unfreeze") {
    return <UnfreezeDialog card={card} onClose={onClose} onStatus={onStatus} />;
  }
  if (act === "withdraw") {
    return <WithdrawDialog {...shared} floatAvailable={floatAvailable} />;
  }
  return act === "close" ? (
    <CloseDialog {...shared} />
  ) : (
    <MoveDialog {...shared} direction={act} floatAvailable={floatAvailable} />
  );
}
