import type { Metadata } from "next";
import { cache } from "react";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../missing.tsx";
import { requireStaffPage } from "../../../staff-page.ts";
import { LiveAccount } from "../../../client/live-account.tsx";
import { Balances } from "../../../ui/balances.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { TransactionStatusLabel } from "../../../ui/transaction-status.tsx";
import { DeclineNotice } from "../../../transaction/decline-notice.tsx";
import { Narrative } from "../../../transaction/narrative.tsx";
import { TransactionAmount } from "../../../transaction/transaction-amount.tsx";
import { toMoved, toTransactionTitle } from "../../../transaction/transaction-words.ts";
import { Hold } from "./hold.tsx";
import { Related } from "./related.tsx";
import { Details } from "./details.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { listRelatedTransactions } from "#lib/transactions/card-purchases.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { formatMoney } from "#lib/base/money.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

const RELATED_MAX = 100;

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findTransactionPage((await params).id);
  return found ? { title: `${toTabTitle(found.transaction)} · Transactions` } : MISSING;
}

export default async function TransactionPage({ params }: Props) {
  const session = await requireStaffPage();
  const found = await findTransactionPage((await params).id);
  if (!found) {
    return (
      <Missing back={{ href: "/transactions", name: "All transactions" }} noun="transaction" />
    );
  }
  const { transaction, card, related } = found;
  const { role } = session.actor.staff;
  const { declineReason, declineExplanation } = transaction;
  return (
    <>
      <LiveAccount />
      <Breadcrumb list="/transactions" name="Transactions">
        {toTransactionTitle(transaction)}
      </Breadcrumb>
      <Headline transaction={transaction} />
      {declineReason !== null && declineExplanation !== null && (
        <DeclineNotice
          card={card}
          explanation={declineExplanation}
          disabledReasons={{
            state: roleDisabledReason(role, "cards:write"),
            funds: roleDisabledReason(role, "funds:write"),
          }}
          reason={declineReason}
        />
      )}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_360px]">
        <div className="flex min-w-0 flex-col gap-6">
          <Hold transaction={transaction} />
          <BalancePanel last4={card.last4} transaction={transaction} />
          <Related transaction={transaction} transactions={related} />
        </div>
        <Details card={card} transaction={transaction} />
      </div>
    </>
  );
}

function toTabTitle(transaction: Transaction): string {
  const { merchant, amount, currency } = transaction;
  const name = merchant?.name ?? toTransactionTitle(transaction);
  return `${name} ${formatMoney(amount, currency)}`;
}

/** Read once for the page and its title. Undefined for another integrator's, an unknown one and a malformed id. */
const findTransactionPage = cache(async (id: string) => {
  const session = await requireStaffPage();
  try {
    return await readAs(session, async (ctx) => {
      const transaction = await getTransaction(ctx, id);
      return {
        transaction,
        card: await getCard(ctx, transaction.cardId),
        related: await listRelatedTransactions(ctx, transaction, RELATED_MAX),
      };
    });
  } catch (error) {
    if (isDomainError(error) && error.code === "transaction_not_found") {
      return undefined;
    }
    throw error;
  }
});

function Headline({ transaction }: { transaction: Transaction }) {
  const { merchant, narrative, status } = transaction;
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-xl font-semibold tracking-tight break-words">
          <bdi>{merchant?.name ?? toTransactionTitle(transaction)}</bdi>
        </h1>
        <TransactionStatusLabel status={status} />
      </div>
      <p className="text-3xl font-semibold tracking-tight">
        <TransactionAmount className="text-foreground" transaction={transaction} />
      </p>
      {narrative !== null && (
        <p>
          <Narrative text={narrative} />
        </p>
      )}
    </header>
  );
}

function BalancePanel({ transaction, last4 }: { transaction: Transaction; last4: string }) {
  const { cardBalanceBefore, cardBalanceAfter, currency, status } = transaction;
  return (
    <Panel title="Card balance">
      <Balances
        changes={[
          { name: `Card •••• ${last4}`, before: cardBalanceBefore, after: cardBalanceAfter },
        ]}
        currency={currency}
      />
      {toMoved(transaction) === 0 && (
        <p className="text-muted mt-2">
          {status === "declined"
            ? "No funds were moved or held."
            : "A hold reduces the available balance. The balance changes when the hold is captured."}
        </p>
      )}
    </Panel>
  );
}
