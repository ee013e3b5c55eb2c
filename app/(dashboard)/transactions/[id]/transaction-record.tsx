import { toChangeDisabledReason } from "../../../card/change-disabled-reason.ts";
import { Balances } from "../../../ui/balances.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RecordColumns } from "../../../ui/record-columns.tsx";
import { TransactionStatusLabel } from "../../../ui/transaction-status.tsx";
import { DeclineNotice } from "../../../transaction/decline-notice.tsx";
import { PostingNotice } from "../../../transaction/posting-notice.tsx";
import { Narrative } from "../../../transaction/narrative.tsx";
import { TransactionAmount } from "../../../transaction/transaction-amount.tsx";
import { toMerchantMoney, toTransactionTitle } from "../../../transaction/transaction-words.ts";
import { Details } from "./details.tsx";
import type { FoundTransaction } from "./find-transaction.ts";
import { Hold } from "./hold.tsx";
import { Notes } from "./notes.tsx";
import { Related } from "./related.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import type { Role } from "#lib/access/roles.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** All details of a transaction, on its page and in the panel beside the list. */
export function TransactionRecord({
  found: { transaction, card, holder, related, notes },
  role,
  heading,
}: {
  found: FoundTransaction;
  role: Role;
  heading: "h1" | "h2";
}) {
  const { declineReason, declineExplanation, declineForced } = transaction;
  const disabledReasons = {
    state: roleDisabledReason(role, "cards:write"),
    funds: roleDisabledReason(role, "funds:write"),
  };
  return (
    <div className="record flex flex-col gap-6">
      <Headline heading={heading} transaction={transaction} />
      {declineReason !== null && declineExplanation !== null && (
        <DeclineNotice
          card={card}
          explanation={declineExplanation}
          forced={declineForced}
          disabledReasons={disabledReasons}
          reason={declineReason}
        />
      )}
      <PostingNotice transaction={transaction} />
      <RecordColumns
        main={
          <>
            <Hold transaction={transaction} />
            <BalancePanel last4={card.last4} transaction={transaction} />
            <Related transaction={transaction} transactions={related} />
            <Notes
              disabledReason={toChangeDisabledReason(role, holder)}
              notes={notes}
              transaction={transaction}
            />
          </>
        }
        side={<Details card={card} transaction={transaction} />}
      />
    </div>
  );
}

/** `Blue Bottle Coffee $4.50` */
export function toTransactionName(transaction: Transaction): string {
  const { merchant, amount, currency } = transaction;
  const name = merchant?.name ?? toTransactionTitle(transaction);
  return `${name} ${formatMoney(amount, currency)}`;
}

function Headline({
  transaction,
  heading: Heading,
}: {
  transaction: Transaction;
  heading: "h1" | "h2";
}) {
  const { merchant, narrative, status, type } = transaction;
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Heading className="text-xl font-semibold tracking-tight break-words">
          <bdi>{merchant?.name ?? toTransactionTitle(transaction)}</bdi>
        </Heading>
        <TransactionStatusLabel status={status} type={type} />
      </div>
      <p className="text-3xl font-semibold tracking-tight">
        <TransactionAmount
          className="text-foreground"
          merchantMoney={toMerchantMoney(transaction)}
          transaction={transaction}
        />
      </p>
      {narrative !== null && (
        <p>
          <Narrative text={narrative} />
        </p>
      )}
    </header>
  );
}

/** The figures behind a declined purchase: what the card had, and what was needed. */
function DeclinedFigures({ transaction, held }: { transaction: Transaction; held: number }) {
  const { amount, cardBalanceBefore, currency } = transaction;
  const available = cardBalanceBefore - held;
  const figures = [
    { term: "Balance", amount: cardBalanceBefore },
    { term: "Held by other purchases", amount: held },
    { term: "Available", amount: available },
    { term: "Needed", amount },
    ...(amount > available ? [{ term: "Missing", amount: amount - available }] : []),
  ];
  return (
    <Panel title="Card when it was declined">
      <Facts>
        {figures.map((figure) => (
          <Fact key={figure.term} term={figure.term}>
            <Money amount={figure.amount} currency={currency} />
          </Fact>
        ))}
      </Facts>
      <p className="text-muted mt-2">{toUnmovedText(transaction)}</p>
    </Panel>
  );
}

function BalancePanel({ transaction, last4 }: { transaction: Transaction; last4: string }) {
  const { cardBalanceBefore, cardBalanceAfter, currency, heldBefore } = transaction;
  if (heldBefore !== null) {
    return <DeclinedFigures held={heldBefore} transaction={transaction} />;
  }
  return (
    <Panel title="Card balance">
      <Balances
        changes={[
          { name: `Card •••• ${last4}`, before: cardBalanceBefore, after: cardBalanceAfter },
        ]}
        currency={currency}
      />
      {toNetAmount(transaction) === 0 && (
        <p className="text-muted mt-2">{toUnmovedText(transaction)}</p>
      )}
    </Panel>
  );
}

function toUnmovedText({ holdAmount, type }: Transaction): string {
  if (type === "verification") {
    return "A verification moves and holds nothing.";
  }
  return holdAmount === null
    ? "No funds were moved or held."
    : "A hold reduces the available balance. The balance changes when the hold is captured.";
}
