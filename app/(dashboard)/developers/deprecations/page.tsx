import type { Metadata } from "next";
import { personalPage } from "../../../page/personal-page.tsx";
import { toShellWord } from "../../../ui/shell-word.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { Time } from "../../../ui/time.tsx";
import { CallBars } from "./call-bars.tsx";
import { readDeprecatedOperations } from "#lib/api/wire/deprecations.ts";
import type { DeprecatedOperation } from "#lib/api/wire/deprecations.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { env } from "#lib/base/env.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Deprecations" };

type KeyCalls = DeprecatedOperation["keys"][number];

const COLUMNS: readonly Column<KeyCalls>[] = [
  {
    id: "key",
    name: "API key",
    narrow: "beside",
    cell: ({ api_key: { name, suffix } }) => <RowName name={`${name} …${suffix}`} />,
  },
  { id: "status", name: "Status", narrow: "below", cell: toStatus },
  {
    id: "days",
    name: "Calls by day, 30 days, UTC",
    narrow: "hidden",
    cell: (key) => <CallBars days={key.calls} total={sumCalls(key)} />,
  },
  {
    id: "calls",
    name: "Calls",
    align: "end",
    narrow: "beside",
    cell: (key) => sumCalls(key).toLocaleString("en-US"),
  },
  {
    id: "last",
    name: "Last call",
    align: "end",
    narrow: "below",
    cell: ({ last_called_at: at }) => <Time at={new Date(at)} />,
  },
];

export default personalPage(DeprecationsPage);

async function DeprecationsPage(session: StaffSession) {
  const operations = await readAs(session, readDeprecatedOperations);
  return (
    <>
      <PageHeader
        description="Operations that a newer one replaces, and which of your API keys still call them."
        title="Deprecations"
      />
      {operations.map((operation) => (
        <DeprecatedPanel key={operation.operation} operation={operation} />
      ))}
    </>
  );
}

function DeprecatedPanel({ operation }: { operation: DeprecatedOperation }) {
  const { method, path, deprecated_in: since, sunset_at: sunset, replacement, keys } = operation;
  const name = `${method} ${path}`;
  return (
    <Panel flush title={name}>
      <div className="border-separator flex flex-col gap-4 border-b p-4">
        <p className="text-muted">
          <span>{`Deprecated in API version ${since}.`}</span>{" "}
          {sunset === null ? (
            <span>It keeps working; no removal date is set.</span>
          ) : (
            <span>
              It stops working <Time at={new Date(sunset)} />.
            </span>
          )}
        </p>
        <CodeBlock label="Call this instead" text={toCurl(replacement)} />
      </div>
      <DataTable
        columns={COLUMNS}
        empty={<Empty title="No calls">None of your API keys has called this operation.</Empty>}
        label={`Keys that called ${name}`}
        idOf={(key) => key.api_key.id}
        items={keys}
      />
    </Panel>
  );
}

function sumCalls({ calls }: KeyCalls): number {
  return calls.reduce((sum, day) => sum + day.calls, 0);
}

function toStatus({ api_key: { revoked }, moved }: KeyCalls): string {
  if (revoked) {
    return "Revoked";
  }
  return moved ? "Moved" : "Still calling";
}

/** The key is a shell variable, so that the page contains no secret. */
function toCurl({ method, path, body }: DeprecatedOperation["replacement"]): string {
  return [
    `curl -X ${method} "${env().publicUrl}${path}"`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H "Content-Type: application/json"`,
    `-H "Idempotency-Key: $(uuidgen)"`,
    `-d ${toShellWord(JSON.stringify(body))}`,
  ].join(" \\\n  ");
}
