import {
  ArrowDownToLine,
  ArrowUpFromLine,
  CircleCheck,
  CircleX,
  Clock,
  ShieldCheck,
  ShoppingBag,
  TimerOff,
  Undo2,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { Link } from "../ui/link.tsx";
import { Money } from "../ui/money.tsx";
import { DeclineNotice } from "../transaction/decline-notice.tsx";
import type { DisabledReasons } from "../transaction/decline-notice.tsx";
import { Narrative } from "../transaction/narrative.tsx";
import { TransactionAmount } from "../transaction/transaction-amount.tsx";
import { toMerchantMoney, toTransactionTitle } from "../transaction/transaction-words.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { TimelineEntry } from "#lib/transactions/card-activity.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

interface Look {
  icon: LucideIcon;
  tone: string;
}

const PURCHASES: Readonly<Record<TransactionStatus, Look>> = {
  authorized: { icon: Clock, tone: "text-pending" },
  captured: { icon: CircleCheck, tone: "text-muted" },
  settled: { icon: ShoppingBag, tone: "text-muted" },
  declined: { icon: CircleX, tone: "text-declined" },
  reversed: { icon: Undo2, tone: "text-muted" },
  expired: { icon: TimerOff, tone: "text-muted" },
};

/** An entry about money. */
export type MoneyEntry = Pick<
  Extract<TimelineEntry, { transaction: Transaction }>,
  "type" | "transaction"
>;

/** The icon of an entry about money. */
export function toTransactionLook(entry: MoneyEntry): Look {
  const { type, status, takesBack, holdAmount } = entry.transaction;
  if (entry.type === "transaction" && status === "settled" && holdAmount !== null) {
    return PURCHASES.captured;
  }
  if (takesBack !== null) {
    return { icon: Undo2, tone: "text-muted" };
  }
  if (type === "deduct" || status === "declined") {
    return PURCHASES[status];
  }
  if (type === "verification") {
    return { icon: ShieldCheck, tone: "text-muted" };
  }
  return type === "debit"
    ? { icon: ArrowUpFromLine, tone: "text-muted" }
    : { icon: ArrowDownToLine, tone: "text-active" };
}

/**
 * What happened and its amount, in one line that links to the transaction. An authorization appears at the time of
 * its request, with the amount that it held; its capture is a separate entry. Only entries that moved funds show a
 * balance.
 */
export function TransactionHeading({ entry: { type, transaction } }: { entry: MoneyEntry }) {
  const { id, merchant, holdAmount } = transaction;
  const isHold = type === "transaction" && holdAmount !== null;
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="min-w-0 font-medium">
        <Link className="underline-offset-4 hover:underline" href={`/transactions/${id}`}>
          <span>{toEntryTitle({ type, transaction })}</span>
          {merchant && (
            <>
              {" "}
              <span>·</span> <bdi className="break-words">{merchant.name}</bdi>
            </>
          )}
        </Link>
      </span>
      {isHold ? (
        <span className="text-muted ml-auto">{`held ${formatMoney(holdAmount, transaction.currency)}`}</span>
      ) : (
        <Moved transaction={transaction} />
      )}
    </div>
  );
}

function Moved({ transaction }: { transaction: Transaction }) {
  const { settledAt, cardBalanceAfter, currency } = transaction;
  return (
    <span className="ml-auto flex items-baseline gap-2">
      <TransactionAmount
        className="font-medium"
        merchantMoney={toMerchantMoney(transaction)}
        transaction={transaction}
      />
      {settledAt !== null && (
        <span className="text-muted text-xs">
          balance <Money amount={cardBalanceAfter} currency={currency} />
        </span>
      )}
    </span>
  );
}

/** At the time of its request, an authorization is titled as one even if it has been captured since. */
function toEntryTitle({ type, transaction }: MoneyEntry): string {
  if (type === "capture") {
    return "Capture";
  }
  const { status, holdAmount } = transaction;
  return status === "settled" && holdAmount !== null
    ? "Authorization"
    : toTransactionTitle(transaction);
}

/** The merchant's text, the hold's outcome, and why it was declined. */
export function TransactionNotes({
  transaction,
  card,
  disabledReasons,
}: {
  transaction: Transaction;
  card: Card & { expired: boolean; isReviewed: boolean };
  disabledReasons: DisabledReasons;
}) {
  const { narrative, declineReason, declineExplanation, declineForced } = transaction;
  const hold = toHoldSentence(transaction);
  return (
    <>
      {narrative !== null && (
        <p>
          <Narrative text={narrative} />
        </p>
      )}
      {hold && <p className="text-muted">{hold}</p>}
      {declineReason !== null && declineExplanation !== null && (
        <div className="my-1.5">
          <DeclineNotice
            card={card}
            explanation={declineExplanation}
            forced={declineForced}
            disabledReasons={disabledReasons}
            reason={declineReason}
          />
        </div>
      )}
    </>
  );
}

/** `Held $52.00: $26.00 captured, $26.00 still held.` */
function toHoldSentence(transaction: Transaction): string | null {
  const { requestedAmount, holdAmount, holdCaptured, holdReleased, currency } = transaction;
  if (holdAmount === null) {
    return null;
  }
  const parts = [
    [holdCaptured ?? 0, "captured"],
    [holdReleased ?? 0, "released"],
    [toOpenHold(transaction), "still held"],
  ] as const;
  const words = parts.flatMap(([amount, word]) =>
    amount > 0 ? [`${formatMoney(amount, currency)} ${word}`] : [],
  );
  const of =
    requestedAmount === null ? "" : ` of ${formatMoney(requestedAmount, currency)} requested`;
  return `Held ${formatMoney(holdAmount, currency)}${of}: ${words.join(", ")}.`;
}
