import { CircleX } from "lucide-react";
import { SentenceRow } from "../../../sentence/sentence-row.tsx";
import type { SentenceContext } from "#lib/sentences/event-formatter.ts";
import { RequestLink } from "../../../ui/request-link.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { toAuditSentence } from "#lib/audit/audit-sentence.ts";
import { toRefusedOperation } from "#lib/record/audit-actions.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import { formatMoney } from "#lib/base/money.ts";

/** One change as a sentence; its details are the changed members, and the request's origin. */
export function AuditLine({ entry, context }: { entry: AuditEntry; context: SentenceContext }) {
  const isRefused = entry.action.endsWith("refused");
  return (
    <SentenceRow
      at={entry.createdAt}
      mark={isRefused && <CircleX aria-hidden className="text-declined size-4 shrink-0" />}
      sentence={toAuditSentence(entry, context)}
    >
      <Changes after={entry.after} before={entry.before} currency={context.currency} />
      <p className="text-muted flex flex-wrap items-center gap-x-3 text-xs">
        <code className="font-mono">{entry.action}</code>
        <span>
          <ExactTime at={entry.createdAt} />
        </span>
        {entry.address && <span className="font-mono">{entry.address}</span>}
        {entry.agent && <span className="max-w-sm truncate">{entry.agent}</span>}
        <span className="flex items-center gap-1">
          <span>{entry.targetType}</span>{" "}
          <CopyId id={entry.targetId} label={`${entry.targetType} ID`} />
        </span>
        <span className="flex items-center gap-1">
          request <CopyId id={entry.requestId} label="request ID" />
        </span>
        {toRefusedOperation(entry.action) !== null && <RequestLink id={entry.requestId} />}
      </p>
    </SentenceRow>
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
  // Skips members that were omitted and did not exist before.
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
