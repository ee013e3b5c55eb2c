import { Link } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";
import type { Overview } from "#lib/overview/overview.ts";

/** Why purchases were declined; each reason links to its declines. */
export function Declines({
  declines,
  since,
}: {
  declines: Overview["declines"];
  /** The first of the counted days. */
  since: string | undefined;
}) {
  return (
    <Panel title="Declines, last 30 days">
      {declines.length === 0 ? (
        <p className="text-muted">No declines</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {declines.map(({ reason, count }) => (
            <li key={reason}>
              <Link
                className="hover:bg-default flex items-center justify-between rounded-md px-1 py-1"
                href={`/transactions?decline_reason=${reason}&from=${since ?? ""}`}
              >
                <span>{DECLINE_REASON_NAMES[reason]}</span>
                <span className="text-base font-medium">{count.toLocaleString("en-US")}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
