import { Fact, Facts } from "../../../ui/facts.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { toCountryName } from "#lib/base/countries.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { INTERVAL_NAMES } from "#lib/cards/spending-controls.ts";
import { toCategory } from "#lib/transactions/merchant-category.ts";

type Controls = NonNullable<ReturnType<typeof toCardResource>["spending_controls"]>;
type Limit = Controls["spending_limits"][number];

/** Names of a list that are shown; the rest is counted. */
const SHOWN = 3;

/** What a card may buy: each limit with what is used of it, and the lists. Renders nothing for a card that may buy everything. */
export function SpendingControls({ card }: { card: Card }) {
  const controls = toCardResource(card).spending_controls;
  if (!controls) {
    return null;
  }
  return (
    <Panel title="Spending controls">
      <div className="flex flex-col gap-4">
        {card.spendingControlsSource === "account" && (
          <p className="hint">The account&apos;s default, because the card has none of its own.</p>
        )}
        {controls.spending_limits.map((limit, index) => (
          <LimitUse currency={card.currency} key={toKey(limit, index)} limit={limit} />
        ))}
        <Lists controls={controls} />
      </div>
    </Panel>
  );
}

function toKey({ interval, categories }: Limit, index: number): string {
  return `${index} ${interval} ${categories?.join() ?? ""}`;
}

function LimitUse({ limit, currency }: { limit: Limit; currency: string }) {
  const { amount, used, interval, categories, resets_at: resetsAt } = limit;
  const left = used === null ? null : Math.max(0, amount - used);
  return (
    <div className="flex flex-col gap-1.5">
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium break-words">{toLimitName(interval)}</span>
        <Money amount={amount} currency={currency} />
      </span>
      {categories && <span className="hint">{toNames(categories.map(toCategory))}</span>}
      {used !== null && left !== null && (
        <>
          <Bar share={amount === 0 ? 1 : Math.min(1, used / amount)} />
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

/** How much is used, which the text beside it says too. */
function Bar({ share }: { share: number }) {
  return (
    <span
      aria-hidden
      className="border-border bg-surface-secondary block h-2 overflow-hidden rounded-full border"
    >
      <span
        className={`block h-full forced-colors:bg-[Highlight] ${share < 1 ? "bg-accent" : "bg-danger"}`}
        style={{ width: `${Math.round(share * 100)}%` }}
      />
    </span>
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
    <Facts>
      {given.map(({ term, names }) => (
        <Fact key={term} term={term}>
          {toNames(names)}
        </Fact>
      ))}
    </Facts>
  );
}

/** `Monthly limit`. */
function toLimitName(interval: Limit["interval"]): string {
  const name = INTERVAL_NAMES[interval];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} limit`;
}

function toNames(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return [...names.slice(0, SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}
