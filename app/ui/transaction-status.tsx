import { CircleCheck, CircleX, Clock, TimerOff, Undo2 } from "lucide-react";
import { TRANSACTION_STATUS_NAMES } from "#lib/transactions/transaction-kinds.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";

const LOOKS = {
  authorized: { icon: Clock, look: "text-pending" },
  settled: { icon: CircleCheck, look: "text-active" },
  declined: { icon: CircleX, look: "text-declined" },
  reversed: { icon: Undo2, look: "text-muted" },
  expired: { icon: TimerOff, look: "text-muted" },
} as const satisfies Record<TransactionStatus, object>;

/** A transaction's status: an icon, a word and a color that say the same. */
export function TransactionStatusLabel({ status }: { status: TransactionStatus }) {
  const { icon: Icon, look } = LOOKS[status];
  return (
    <span
      className={`border-border inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {TRANSACTION_STATUS_NAMES[status]}
    </span>
  );
}
