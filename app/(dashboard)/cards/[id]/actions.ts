import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Ban,
  FlaskConical,
  ShieldAlert,
  Snowflake,
  Sun,
  Undo2,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { Act, CardResource } from "./acts.ts";
import type { DisabledReasons } from "../../../transaction/decline-notice.tsx";
import { cardCan } from "#lib/cards/card-state.ts";

/** An action on a card, as its button shows it. */
export interface Action {
  act: Act;
  name: string;
  icon: LucideIcon;
  isDanger?: boolean;
  disabledReason: string | null;
}

/** What decides which actions a card has, and which of them are disabled. */
export interface ActionsInput {
  card: CardResource;
  expired: boolean;
  disabledReasons: DisabledReasons;
  /** Null in live, where nothing is simulated. */
  simulate: { disabledReason: string | null } | null;
}

/** Freezing or unfreezing, whichever the card's status allows. */
export function toStatusAction(input: ActionsInput): Action {
  return input.card.status === "frozen"
    ? { act: "unfreeze", name: "Unfreeze", icon: Sun, ...toReason(input, "unfreeze") }
    : { act: "freeze", name: "Freeze", icon: Snowflake, ...toReason(input, "freeze") };
}

/** The other actions: on the card's money, and on the card itself. */
export function toOtherActions(input: ActionsInput): readonly (readonly Action[])[] {
  const { card, simulate } = input;
  const { disabledReason } = toReason(input, "debit");
  const nothing = card.available > 0 ? null : "This card has no available balance.";
  const debit = { disabledReason: disabledReason ?? nothing };
  const simulation = { act: "simulate", name: "Simulate", icon: FlaskConical } as const;
  return [
    [
      { act: "credit", name: "Credit", icon: ArrowDownToLine, ...toReason(input, "credit") },
      { act: "debit", name: "Debit", icon: ArrowUpFromLine, ...debit },
      { act: "withdraw", name: "Withdraw all", icon: Undo2, ...debit },
    ],
    [
      ...(simulate ? [{ ...simulation, disabledReason: simulate.disabledReason }] : []),
      { act: "lost", name: "Lost or stolen", icon: ShieldAlert, ...toLostReason(input) },
      { act: "close", name: "Close card", icon: Ban, isDanger: true, ...toReason(input, "close") },
    ],
  ];
}

/** Why the card cannot be reported lost. A closed card can still be replaced, too. */
function toLostReason({ disabledReasons }: ActionsInput): Pick<Action, "disabledReason"> {
  return { disabledReason: disabledReasons.state };
}

/** Which right of the person an action needs. */
const NEEDS = {
  freeze: "state",
  unfreeze: "state",
  close: "state",
  credit: "funds",
  debit: "funds",
} as const;

/** Why an action is disabled: the person's role first, then the card's state. */
function toReason(
  { card, expired, disabledReasons }: ActionsInput,
  act: keyof typeof NEEDS,
): Pick<Action, "disabledReason"> {
  const inState = cardCan[act]({ status: card.status, expired })?.detail ?? null;
  return { disabledReason: disabledReasons[NEEDS[act]] ?? inState };
}
