import { Money } from "../ui/money.tsx";
import { SeeAll } from "../ui/see-all.tsx";
import { ShareBar } from "../ui/share-bar.tsx";
import { ExactTime } from "../ui/time.tsx";
import { toCountryName } from "#lib/base/countries.ts";
import { hasControls, toIntervalTitle } from "#lib/cards/spending-controls.ts";
import type { SpendingControls, SpendingLimit } from "#lib/cards/spending-controls.ts";
import { toCategory } from "#lib/transactions/merchant-category.ts";

interface Limit extends SpendingLimit {
  /** In minor units; null or absent if unknown. */
  used?: number | null;
  resets_at?: string | null;
}

interface Controls extends SpendingControls {
  spending_limits: Limit[];
}

/** How many names of a list are shown at first. */
const SHOWN = 3;

/** What cards may buy: each limit, with the used amount if known, and the lists. */
export function ControlsSummary({
  controls,
  currency,
}: {
  controls: Controls | null;
  currency: string;
}) {
  if (!controls || !hasControls(controls)) {
    return <p className="text-muted">None. Everything may be bought.</p>;
  }
  return (
    <div className="flex flex-col gap-4">
      {controls.spending_limits.map((limit, index) => (
        <LimitUse currency={currency} key={toKey(limit, index)} limit={limit} />
      ))}
      <Lists controls={controls} />
    </div>
  );
}

function toKey({ interval, categories }: Limit, index: number): string {
  return `${index} ${interval} ${categories?.join() ?? ""}`;
}

function LimitUse({ limit, currency }: { limit: Limit; currency: string }) {
  const { amount, used = null, interval, categories, resets_at: resetsAt = null } = limit;
  const left = used === null ? null : Math.max(0, amount - used);
  return (
    <div className="flex flex-col gap-1.5">
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium break-words">{`${toIntervalTitle(interval)} limit`}</span>
        <Money amount={amount} currency={currency} />
      </span>
      {categories && <Names names={categories.map(toCategory)} />}
      {used !== null && left !== null && (
        <>
          <ShareBar isFull={used >= amount} share={amount === 0 ? 1 : Math.min(1, used / amount)} />
          <span className="text-muted flex flex-wrap justify-between gap-x-3 text-xs">
            <span>
              <Money amount={left} currency={currency} /> <span>left</span>
            </span>
            {resetsAt !== null && (
              <span>
                <span>Starts anew</span> <ExactTime at={new Date(resetsAt)} />
              </span>
            )}
          </span>
        </>
      )}
    </div>
  );
}

function Lists({ controls }: { controls: Controls }) {
  const lists = [
    ["Only categories", controls.allowed_categories?.map(toCategory)],
    ["Blocked categories", controls.blocked_categories?.map(toCategory)],
    ["Only countries", controls.allowed_merchant_countries?.map(toCountryName)],
    ["Blocked countries", controls.blocked_merchant_countries?.map(toCountryName)],
  ] as const;
  const given = lists.flatMap(([term, names]) => (names ? [{ term, names }] : []));
  return given.length === 0 ? null : (
    <dl className="flex flex-col gap-3">
      {given.map(({ term, names }) => (
        <div key={term}>
          <dt className="font-medium">{term}</dt>
          <dd>
            <Names names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Names({ names }: { names: readonly string[] }) {
  const rest = names.slice(SHOWN);
  return (
    <div className="hint">
      <span>{names.slice(0, SHOWN).join(", ")}</span>
      {rest.length > 0 && (
        <SeeAll count={names.length}>
          <span>{rest.join(", ")}</span>
        </SeeAll>
      )}
    </div>
  );
}
