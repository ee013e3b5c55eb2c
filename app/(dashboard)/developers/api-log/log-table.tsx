import type { Elements } from "../../../ui/elements.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { StatusLabel } from "./status-label.tsx";
import type { LoggedRequest } from "#lib/record/request-log.ts";

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    id: "request",
    name: "Request",
    narrow: "below",
    cell: ({ method, path }) => (
      <code className="block max-w-96 truncate min-[90rem]:max-w-xl font-mono text-xs">{`${method} ${path}`}</code>
    ),
  },
  {
    id: "status",
    name: "Status",
    narrow: "beside",
    cell: ({ status }) => <StatusLabel status={status} />,
  },
  {
    id: "code",
    name: "Error code",
    narrow: "below",
    cell: ({ code }) => code && <code className="font-mono text-xs">{code}</code>,
  },
  {
    id: "caller",
    name: "Caller",
    narrow: "hidden",
    isCut: true,
    cell: ({ actor }) => actor?.name,
  },
  {
    id: "duration",
    name: "Duration",
    align: "end",
    narrow: "hidden",
    cell: ({ durationMs }) => `${durationMs.toLocaleString("en-US")} ms`,
  },
  {
    id: "created",
    name: "Time",
    align: "end",
    narrow: "below",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Requests, newest first, linked to their details. */
export function LogTable({
  requests,
  empty,
}: {
  requests: readonly LoggedRequest[];
  empty: Elements;
}) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      hrefOf={({ id }) => `/developers/api-log/${id}`}
      idOf={({ id }) => id}
      items={requests}
      label="Requests"
    />
  );
}
