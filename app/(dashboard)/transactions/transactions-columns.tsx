import { TransactionAmount } from "../../transaction/transaction-amount.tsx";
import type { Amounts } from "../../transaction/transaction-words.ts";
import { CardName } from "../../ui/card-name.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Money } from "../../ui/money.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { TransactionStatusLabel } from "../../ui/transaction-status.tsx";
import { TRANSACTION_TYPE_NAMES } from "#lib/transactions/transaction-kinds.ts";
import type { TransactionStatus, TransactionType } from "#lib/transactions/transaction-kinds.ts";

/** A transaction as the list shows it. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface TransactionRow extends Amounts {
  id: string;
  name: string;
  /** The title and the narrative, as far as the name does not contain them. */
  about: string;
  card: { cardName: string; last4: string } | null;
  type: TransactionType;
  status: TransactionStatus;
  merchantMoney: string | null;
  /** ISO 8601. */
  createdAt: string;
  settledAt: string | null;
}

/** What the list can show of a transaction. */
export const TRANSACTION_COLUMNS: readonly Column<TransactionRow>[] = [
  {
    id: "what",
    name: "Description",
    narrow: "below",
    cell: ({ about, name }) => <RowName about={about} name={name} />,
  },
  {
    id: "card",
    name: "Card",
    narrow: "below",
    yields: "second",
    isCut: true,
    cell: ({ card }) => card && <CardName card={card} />,
  },
  {
    id: "status",
    name: "Status",
    narrow: "below",
    cell: ({ status, type }) => <TransactionStatusLabel status={status} type={type} />,
  },
  {
    id: "at",
    name: "Date",
    align: "end",
    narrow: "below",
    cell: ({ createdAt }) => <TimeText at={createdAt} />,
  },
  {
    id: "amount",
    name: "Amount",
    align: "end",
    narrow: "beside",
    cell: (transaction) => (
      <TransactionAmount merchantMoney={transaction.merchantMoney} transaction={transaction} />
    ),
  },
  {
    id: "type",
    name: "Type",
    narrow: "below",
    yields: "first",
    isExtra: true,
    cell: ({ type }) => TRANSACTION_TYPE_NAMES[type],
  },
  {
    id: "posted",
    name: "Posted",
    align: "end",
    narrow: "hidden",
    yields: "first",
    isExtra: true,
    cell: ({ settledAt }) => settledAt && <TimeText at={settledAt} />,
  },
  {
    id: "after",
    name: "Card balance after",
    align: "end",
    narrow: "hidden",
    yields: "first",
    isExtra: true,
    cell: ({ cardBalanceAfter, currency }) => (
      <Money amount={cardBalanceAfter} currency={currency} />
    ),
  },
];
