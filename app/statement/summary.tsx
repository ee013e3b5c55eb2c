import { Fact, Facts } from "../ui/facts.tsx";
import { Figure } from "../ui/figure.tsx";
import { Money } from "../ui/money.tsx";
import { Panel } from "../ui/panel.tsx";
import { toMinute } from "../ui/time-format.ts";
import type { Statement } from "#lib/statements/statement.ts";

/** Opening balance, what moved, and closing balance. */
export function Summary({ statement, now }: { statement: Statement; now: Date }) {
  const { account, period, timeZone, opening, totals, closing, isFinal } = statement;
  const { currency } = account;
  const hasBegun = period.from <= now;
  return (
    <Panel title="Summary">
      <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-4">
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Figure term="Opening balance">
            <Money amount={opening} currency={currency} />
          </Figure>
          <Figure term="Net change">
            <Money amount={closing - opening} currency={currency} signed />
          </Figure>
          <Figure isMain term={isFinal ? "Closing balance" : "Balance so far"}>
            <Money amount={closing} currency={currency} />
          </Figure>
        </dl>
        {!isFinal && (
          <p className="text-muted order-last w-full">
            {hasBegun
              ? `This period has not ended. Its figures are those of ${toMinute(now, timeZone)}.`
              : "This period has not begun."}
          </p>
        )}
        {totals.length > 0 && (
          <div className="w-full lg:max-w-md print:max-w-none">
            <Facts>
              {totals.map(({ kind, name, net }) => (
                <Fact key={kind} term={name}>
                  <Money amount={net} currency={currency} signed />
                </Fact>
              ))}
            </Facts>
          </div>
        )}
      </div>
    </Panel>
  );
}
