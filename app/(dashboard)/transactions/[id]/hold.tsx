import { Fact, Facts } from "../../../ui/facts.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** The outcome of an authorization's hold; renders nothing for any other transaction. */
export function Hold({ transaction }: { transaction: Transaction }) {
  const { holdAmount, holdCaptured, holdReleased, holdExpiresAt } = transaction;
  const { requestedAmount, currency, status } = transaction;
  if (holdAmount === null || holdExpiresAt === null) {
    return null;
  }
  const open = toOpenHold(transaction);
  const parts = [
    { name: "Captured", amount: holdCaptured ?? 0, color: "bg-active" },
    { name: "Released", amount: holdReleased ?? 0, color: "bg-muted" },
    { name: "Still held", amount: open, color: "bg-pending" },
  ];
  return (
    <Panel title="Hold">
      <div aria-hidden className="bg-default mb-4 flex h-2 gap-px overflow-clip rounded-full">
        {parts.map(({ name, amount, color }) => (
          <div className={color} key={name} style={{ width: `${(amount / holdAmount) * 100}%` }} />
        ))}
      </div>
      <Facts>
        {requestedAmount !== null && (
          <Fact term="Requested">
            <Money amount={requestedAmount} currency={currency} />
          </Fact>
        )}
        <Fact term="Authorized">
          <Money amount={holdAmount} className="font-medium" currency={currency} />
        </Fact>
        {parts.map(({ name, amount, color }) => (
          <Fact
            key={name}
            term={
              <span className="flex items-center gap-2">
                <span aria-hidden className={`size-2 rounded-full ${color}`} />
                <span>{name}</span>
              </span>
            }
          >
            <Money amount={amount} currency={currency} />
          </Fact>
        ))}
        {open > 0 && (
          <Fact term="Expires">
            <Time at={holdExpiresAt} />
          </Fact>
        )}
        {status === "expired" && (
          <Fact term="Expired">
            <Time at={holdExpiresAt} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
