import type { Metadata } from "next";
import { Link } from "../../../../ui/link.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { Live } from "../../../../client/live.tsx";
import { DataTable } from "../../../../ui/data-table.tsx";
import type { Column } from "../../../../ui/data-table.tsx";
import { Empty } from "../../../../ui/empty.tsx";
import { PageHeader } from "../../../../ui/page-header.tsx";
import { toHref } from "../../../../ui/pager.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { LogTabs } from "../log-tabs.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { readRequestHealth } from "#lib/record/request-health.ts";
import type { CodeCount, OperationHealth } from "#lib/record/request-health.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Health · API log" };

const PATH = "/developers/api-log";
const RATE = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

const OPERATION_COLUMNS: readonly Column<OperationHealth>[] = [
  { id: "operation", name: "Operation", narrow: "below", cell: toOperation },
  {
    id: "requests",
    name: "Requests",
    align: "end",
    narrow: "below",
    cell: ({ requests }) => (
      <>
        <span>{requests.toLocaleString("en-US")}</span>{" "}
        <span className="in-two-lines">{requests === 1 ? "request" : "requests"}</span>
      </>
    ),
  },
  {
    id: "rate",
    name: "Error rate",
    align: "end",
    narrow: "beside",
    cell: ({ requests, failures }) => (
      <span className={failures > 0 ? "text-declined" : "text-muted"}>
        {RATE.format(failures / requests)}
      </span>
    ),
  },
  {
    id: "p95",
    name: "p95",
    align: "end",
    narrow: "below",
    cell: ({ p95Ms }) => (
      <>
        <span className="in-two-lines">p95</span>{" "}
        <span>{`${p95Ms.toLocaleString("en-US")} ms`}</span>
      </>
    ),
  },
];

const ERROR_COLUMNS: readonly Column<CodeCount>[] = [
  {
    id: "code",
    name: "Error code",
    narrow: "below",
    cell: ({ code }) => <code className="font-mono text-xs">{code}</code>,
  },
  { id: "operation", name: "Operation", narrow: "below", cell: toOperation },
  {
    id: "requests",
    name: "Requests",
    align: "end",
    narrow: "beside",
    cell: ({ requests }) => requests.toLocaleString("en-US"),
  },
  {
    id: "help",
    name: "Help",
    narrow: "below",
    cell: ({ code }) => (
      <Link className="underlined-link relative z-10" href={`/docs/errors#${code}`}>
        What to do
      </Link>
    ),
  },
];

export default personalPage(HealthPage);

async function HealthPage(session: StaffSession) {
  const { operations, codes } = await readAs(session, readRequestHealth);
  return (
    <>
      <Live />
      <PageHeader
        action={<LogTabs current="Health" />}
        description="The last 24 hours, by operation. The hour in which they begin counts in full. Long polls count without their wait."
        title="API health"
      />
      <Panel flush title="Errors">
        <DataTable
          columns={ERROR_COLUMNS}
          empty={<Empty title="No errors">Every request of the last 24 hours succeeded.</Empty>}
          label="Errors"
          hrefOf={({ code, operation }) => toHref(PATH, { code, operation })}
          idOf={({ code, operation }) => `${code} ${operation}`}
          items={codes}
        />
      </Panel>
      <Panel flush title="Operations">
        <DataTable
          columns={OPERATION_COLUMNS}
          empty={<Empty title="No requests">No requests were made in the last 24 hours.</Empty>}
          label="Operations"
          hrefOf={({ operation }) => toHref(PATH, { operation })}
          idOf={({ operation }) => operation}
          items={operations}
        />
      </Panel>
    </>
  );
}

function toOperation({ operation }: { operation: string }) {
  return <code className="font-mono text-xs">{operation}</code>;
}
