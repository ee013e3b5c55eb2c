import { ArrowRight } from "lucide-react";
import { Money } from "./money.tsx";

/** A balance before and after a move. */
export interface Change {
  name: string;
  before: number;
  after: number;
}

/** Marks balances that must not become stale while somebody bases a decision on them. */
export const BALANCES = "data-balances";

/** What a move of funds will do to both balances. */
export function Balances({ changes, currency }: { changes: readonly Change[]; currency: string }) {
  return (
    <dl
      {...{ [BALANCES]: true }}
      className="border-border divide-separator divide-y rounded-lg border"
    >
      {changes.map(({ name, before, after }) => (
        <div className="flex flex-wrap items-center justify-between gap-x-4 px-3 py-2" key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="flex items-center gap-2">
            <Money amount={before} className="text-muted" currency={currency} />
            <ArrowRight aria-label="becomes" className="text-muted size-3.5" role="img" />
            <Money
              amount={after}
              className={`font-medium ${after < 0 ? "text-declined" : ""}`}
              currency={currency}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}
