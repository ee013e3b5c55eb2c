import { StateLabel } from "./state-label.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { TRANSACTION_STATUS_NAMES } from "#lib/transactions/transaction-kinds.ts";
import type { TransactionStatus, TransactionType } from "#lib/transactions/transaction-kinds.ts";

const LOOKS = {
  authorized: { icon: "clock", look: "text-pending" },
  captured: { icon: "circle-check", look: "text-muted" },
  settled: { icon: "circle-check", look: "text-active" },
  declined: { icon: "circle-x", look: "text-declined" },
  reversed: { icon: "undo-2", look: "text-muted" },
  expired: { icon: "timer-off", look: "text-muted" },
} as const satisfies Record<TransactionStatus, object>;

/** A transaction's status as an icon, a word, and a color. */
export function TransactionStatusLabel({
  status,
  type,
}: {
  status: TransactionStatus;
  type: TransactionType;
}) {
  // An approved verification holds nothing, so nothing about it is pending.
  const isFinal = type === "verification" && status === "authorized";
  const { icon, look } = isFinal ? LOOKS.settled : LOOKS[status];
  return (
    <StateLabel
      icon={<StatusIcon name={icon} />}
      look={look}
      word={TRANSACTION_STATUS_NAMES[status]}
    />
  );
}
