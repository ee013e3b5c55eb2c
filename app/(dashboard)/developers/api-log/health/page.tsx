import type { Metadata } from "next";
import { Link } from "../../../../ui/link.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { Live } from "../../../../client/live.tsx";
import { DataTable } from "../../../../ui/data-table.tsx";
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

const OPERATION_COLUMNS = [
  { id: "operation", name: "Operation", narrow: "below" },
  { id: "requests", name: "Requests", align: "end", narrow: "below" },
  { id: "rate", name: "Error rate", align: "end", narrow: "beside" },
  { id: "p95", name: "p95", align: "end", narrow: "below" },
] as const;

const ERROR_COLUMNS = [
  { id: "code", name: "Error code", narrow: "below" },
  { id: "operation", name: "Operation", narrow: "below" },
  { id: "requests", name: "Requests", align: "end", narrow: "beside" },
  { id: "help", name: "Help", narrow: "below" },
] as const;

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
          rows={codes.map(toErrorRow)}
        />
      </Panel>
      <Panel flush title="Operations">
        <DataTable
          columns={OPERATION_COLUMNS}
          empty={<Empty title="No requests">No requests were made in the last 24 hours.</Empty>}
          label="Operations"
          rows={operations.map(toOperationRow)}
        />
      </Panel>
    </>
  );
}

function toErrorRow({ code, operation, requests }: CodeCount) {
  return {
    id: `${code} ${operation}`,
    href: toHref(PATH, { code, operation }),
    text: `${code} of ${operation}`,
    cells: [
      <code className="font-mono text-xs" key="code">
        {code}
      </code>,
      <code className="font-mono text-xs" key="operation">
        {operation}
      </code>,
      requests.toLocaleString("en-US"),
      <Link className="underlined-link relative z-10" href={`/docs/errors#${code}`} key="help">
        What to do
      </Link>,
    ],
  };
}

const RATE = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

function toOperationRow({ operation, requests, failures, p95Ms }: OperationHealth) {
  return {
    id: operation,
    href: toHref(PATH, { operation }),
    text: operation,
    cells: [
      <code className="font-mono text-xs" key="operation">
        {operation}
      </code>,
      <span key="requests">
        <span>{requests.toLocaleString("en-US")}</span>{" "}
        <span className="in-two-lines">{requests === 1 ? "request" : "requests"}</span>
      </span>,
      <span className={failures > 0 ? "text-declined" : "text-muted"} key="rate">
        {RATE.format(failures / requests)}
      </span>,
      <span key="p95">
        <span className="in-two-lines">p95</span>{" "}
        <span>{`${p95Ms.toLocaleString("en-US")} ms`}</span>
      </span>,
    ],
  };
}
