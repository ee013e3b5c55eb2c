import { currentSpan, startSpan } from "#lib/base/tracing.ts";
import { databaseCode } from "#db/failures.ts";
import type { StatementWatcher } from "#db/statements.ts";

/**
 * Makes a span of each statement sent within a traced request or batch: its text, in which values are placeholders, and
 * never the values.
 */
export function toStatementSpans(): StatementWatcher {
  return (text) => {
    const parent = currentSpan();
    const span =
      parent &&
      startSpan({
        name: toName(text),
        kind: "client",
        parent: parent.traceparent,
        attributes: { "db.system.name": "postgresql", "db.query.text": text },
      });
    return span
      ? (error) => span.end({}, error === null ? null : (databaseCode(error) ?? "failed"))
      : undefined;
  };
}

/** What the statement does, and the first table that it writes or reads. */
function toName(text: string): string {
  const { write, table } =
    /\b(?<write>insert into|update|delete from) "?(?<table>\w+)/iu.exec(text)?.groups ?? {};
  const { read } = /\bfrom "?(?<read>\w+)/iu.exec(text)?.groups ?? {};
  return write ? `${write.split(" ")[0]?.toLowerCase()} ${table}` : `select ${read ?? ""}`.trim();
}
