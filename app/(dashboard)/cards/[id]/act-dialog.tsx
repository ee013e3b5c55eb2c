"use client";

import { fetched } from "../../../client/fetched.tsx";
import type { DisabledReasons } from "../../../transaction/decline-notice.tsx";
import { CloseDialog } from "./close-dialog.tsx";
import { NEW_CASE } from "./lost/lost-case.ts";
import type { LostCase } from "./lost/lost-case.ts";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import type { Held } from "./open-holds.ts";
import { UnfreezeDialog } from "./unfreeze-dialog.tsx";
import { WithdrawDialog } from "./withdraw-dialog.tsx";
import type { Act, CardResource, Draft, Simulation } from "./acts.ts";

// The two largest dialogs are loaded when they are opened, so that visiting a card does not load them.
const LostDialog = fetched(() =>
  import("./lost/lost-dialog.tsx").then((loaded) => loaded.LostDialog),
);
const SimulateDialog = fetched(() =>
  import("./simulate-dialog.tsx").then((loaded) => loaded.SimulateDialog),
);

/** The dialog of an action. */
export function ActDialog({
  act,
  card,
  expired,
  draft,
  floatAvailable,
  holds,
  disabledReasons,
  simulation,
  lost,
  onLost,
  onClose,
  onDraft,
  onChanged,
}: {
  act: Act;
  card: CardResource;
  expired: boolean;
  draft: Draft | null;
  floatAvailable: number;
  holds: Held;
  disabledReasons: DisabledReasons;
  simulation: Simulation | null;
  /** Null until somebody has recorded a finding. */
  lost: LostCase | null;
  onLost: (lost: LostCase) => void;
  onClose: () => void;
  onDraft: (draft: Draft) => void;
  /** Receives the card from the server's response. */
  onChanged: (card: CardResource) => void;
}) {
  const shared = { card, currency: card.currency, onClose };
  if (act === "freeze") {
    return <FreezeDialog card={card} holds={holds} onChanged={onChanged} onClose={onClose} />;
  }
  if (act === "unfreeze") {
    return <UnfreezeDialog card={card} onChanged={onChanged} onClose={onClose} />;
  }
  if (act === "lost") {
    const shown = { card, disabledReasons, onLost, onClose, onChanged };
    return <LostDialog {...shown} lost={lost ?? NEW_CASE} />;
  }
  if (act === "simulate") {
    return (
      simulation && (
        <SimulateDialog
          card={{ ...card, expired }}
          draft={draft}
          holds={holds.rows}
          disabledReasons={disabledReasons}
          onClose={onClose}
          onDraft={onDraft}
          purchases={simulation.purchases}
        />
      )
    );
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
