import { Link } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";
import type { Overview } from "#lib/overview/overview.ts";

/**
 * How authorization requests were decided, and what was posted unapproved. Each count links to its
 * transactions.
 */
export function Declines({
  decisions: { declines, unapproved, rate },
  days,
}: {
  decisions: Overview["decisions"];
  /** The counted days. */
  days: Overview["days"];
}) {
  const since = days[0]?.day ?? "";
  return (
    <Panel title={`Declines, last ${days.length} days`}>
      {rate.declined > 0 && <Rate rate={rate} />}
      {declines.length === 0 ? (
        <p className="text-muted">No declines</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {declines.map(({ reason, count }) => (
            <li key={reason}>
              <Count
                count={count}
                href={`/transactions?decline_reason=${reason}&from=${since}`}
                name={DECLINE_REASON_NAMES[reason]}
              />
            </li>
          ))}
        </ul>
      )}
      {unapproved > 0 && (
        <div className="border-separator mt-2 border-t pt-2">
          <Count
            count={unapproved}
            href={`/transactions?posted_as=any&from=${since}`}
            name="Posted without approval"
          />
        </div>
      )}
    </Panel>
  );
}

/** Two significant digits, so that one decline among thousands of requests is not 0%. */
const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumSignificantDigits: 2 });

function Rate({ rate: { declined, decided, isPartial } }: { rate: Overview["decisions"]["rate"] }) {
  const requests = `${decided.toLocaleString("en-US")} ${decided === 1 ? "request" : "requests"}`;
  return (
    <div className="mb-3 px-1">
      <p className="text-3xl font-semibold tracking-tight">{PERCENT.format(declined / decided)}</p>
      <p className="text-muted">{`of ${isPartial ? "the latest " : ""}${requests} declined`}</p>
    </div>
  );
}

function Count({ name, count, href }: { name: string; count: number; href: string }) {
  return (
    <Link
      className="hover:bg-default flex items-center justify-between rounded-md px-1 py-1"
      href={href}
    >
      <span>{name}</span>
      <span className="text-base font-medium">{count.toLocaleString("en-US")}</span>
    </Link>
  );
}
