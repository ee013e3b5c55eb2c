import { Link } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";
import type { Overview } from "#lib/overview/overview.ts";

/** Why purchases were declined, and how many were posted without an approval; each count links to its transactions. */
export function Declines({
  declines,
  unapproved,
  days,
}: {
  declines: Overview["declines"];
  unapproved: Overview["unapproved"];
  /** The counted days. */
  days: Overview["days"];
}) {
  const since = days[0]?.day ?? "";
  return (
    <Panel title={`Declines, last ${days.length} days`}>
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
