import { CircleX } from "lucide-react";
import Link from "next/link";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Time } from "../../../ui/time.tsx";
import type { AuditEntry } from "#lib/record/audit.ts";
import { formatMoney } from "#lib/base/money.ts";

/** One change: what, by whom, from where, and the members that it changed. */
export function AuditLine({ entry, currency }: { entry: AuditEntry; currency: string }) {
  const isRefused = entry.action.endsWith("refused");
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <span className="flex min-w-0 items-center gap-2">
          {isRefused && (
            <CircleX aria-label="Refused" className="text-declined size-4" role="img" />
          )}
          <Link
            className="font-mono text-xs underline-offset-4 hover:underline"
            href={`/settings/audit-log?action=${encodeURIComponent(entry.action)}`}
            title="Show only this action"
          >
            {entry.action}
          </Link>
          <span className="text-muted truncate">by {entry.actor.name}</span>
        </span>
        <span className="text-muted text-xs">
          <Time at={entry.createdAt} />
        </span>
      </div>
      <Changes after={entry.after} before={entry.before} currency={currency} />
      <p className="text-muted flex flex-wrap items-center gap-x-3 text-xs">
        <span className="flex items-center gap-1">
          {entry.targetType} <CopyId id={entry.targetId} label={`${entry.targetType} ID`} />
        </span>
        {entry.address && <span className="font-mono">{entry.address}</span>}
        <span className="flex items-center gap-1">
          request <CopyId id={entry.requestId} label="request ID" />
        </span>
      </p>
    </li>
  );
}

type Members = Readonly<Record<string, unknown>> | null;

/** Members that hold money, in minor units. */
const AMOUNTS: ReadonlySet<string> = new Set(["amount", "low_balance_threshold"]);

function Changes({
  before,
  after,
  currency,
}: {
  before: Members;
  after: Members;
  currency: string;
}) {
  const show = (name: string, value: unknown) =>
    typeof value === "number" && AMOUNTS.has(name) ? formatMoney(value, currency) : toText(value);
  // What was left out, and was not there before, says nothing.
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => (before && name in before) || (after?.[name] ?? null) !== null,
  );
  if (names.length === 0) {
    return null;
  }
  return (
    <ul className="flex flex-wrap gap-x-4">
      {names.map((name) => (
        <li className="min-w-0 break-words" key={name}>
          <span className="text-muted">{name}</span>{" "}
          {before && name in before && <s className="text-muted">{show(name, before[name])}</s>}{" "}
          {after && name in after && <span>{show(name, after[name])}</span>}
        </li>
      ))}
    </ul>
  );
}

function toText(value: unknown): string {
  if (value === null || value === undefined) {
    return "none";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
