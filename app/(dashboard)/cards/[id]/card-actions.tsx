"use client";

import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Ban,
  FlaskConical,
  Snowflake,
  Sun,
  Undo2,
} from "lucide-react";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { Act, CardResource } from "./acts.ts";
import type { DisabledReasons } from "../../../transaction/decline-notice.tsx";
import { cardCan } from "#lib/cards/card-state.ts";

/** The actions, each with its reason when it is disabled: the person's role first, then the card's state. */
export function CardActions({
  card,
  expired,
  disabledReasons,
  simulate,
  onAct,
}: {
  card: CardResource;
  expired: boolean;
  disabledReasons: DisabledReasons;
  /** Null in live, where nothing is simulated. */
  simulate: { disabledReason: string | null } | null;
  onAct: (act: Act) => void;
}) {
  const condition = { status: card.status, expired };
  const stateDisabledReason = (act: "freeze" | "unfreeze" | "close") =>
    disabledReasons.state ?? cardCan[act](condition)?.detail ?? null;
  const fundsDisabledReason = (act: "credit" | "debit") =>
    disabledReasons.funds ?? cardCan[act](condition)?.detail ?? null;
  const toggle = card.status === "frozen" ? "unfreeze" : "freeze";
  return (
    <div className="flex flex-wrap gap-2">
      {/* One button of one width, so that focus and neighbors stay in place when the card changes. */}
      <GuardedButton
        className="min-w-28"
        data-main-action
        disabledReason={stateDisabledReason(toggle)}
        onPress={() => onAct(toggle)}
      >
        {toggle === "unfreeze" ? <Sun aria-hidden /> : <Snowflake aria-hidden />}
        <span>{toggle === "unfreeze" ? "Unfreeze" : "Freeze"}</span>
      </GuardedButton>
      <FundsActions card={card} disabledReasonOf={fundsDisabledReason} onAct={onAct} />
      {simulate && (
        <GuardedButton
          disabledReason={simulate.disabledReason}
          onPress={() => onAct("simulate")}
          variant="secondary"
        >
          <FlaskConical aria-hidden />
          Simulate
        </GuardedButton>
      )}
      <GuardedButton
        disabledReason={stateDisabledReason("close")}
        onPress={() => onAct("close")}
        variant="danger-soft"
      >
        <Ban aria-hidden />
        Close card
      </GuardedButton>
    </div>
  );
}

/** The actions that move money between the float and the card. */
function FundsActions({
  card,
  disabledReasonOf,
  onAct,
}: {
  card: CardResource;
  disabledReasonOf: (act: "credit" | "debit") => string | null;
  onAct: (act: Act) => void;
}) {
  const nothing = card.available > 0 ? null : "This card has no available balance.";
  return (
    <>
      <GuardedButton
        disabledReason={disabledReasonOf("credit")}
        onPress={() => onAct("credit")}
        variant="secondary"
      >
        <ArrowDownToLine aria-hidden />
        Credit
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReasonOf("debit") ?? nothing}
        onPress={() => onAct("debit")}
        variant="secondary"
      >
        <ArrowUpFromLine aria-hidden />
        Debit
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReasonOf("debit") ?? nothing}
        onPress={() => onAct("withdraw")}
        variant="secondary"
      >
        <Undo2 aria-hidden />
        Withdraw all
      </GuardedButton>
    </>
  );
}
