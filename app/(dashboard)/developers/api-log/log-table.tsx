import type { Elements } from "../../../ui/elements.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { StatusLabel } from "./status-label.tsx";
import type { LoggedRequest } from "#lib/record/request-log.ts";

const COLUMNS = [
  { id: "request", name: "Request", narrow: "below" },
  { id: "status", name: "Status", narrow: "beside" },
  { id: "code", name: "Error code", narrow: "below" },
  { id: "caller", name: "Caller", narrow: "hidden", isCut: true },
  { id: "duration", name: "Duration", align: "end", narrow: "hidden" },
  { id: "created", name: "Time", align: "end", narrow: "below" },
] as const;

/** Requests, newest first, linked to their details. */
export function LogTable({
  requests,
  empty,
}: {
  requests: readonly LoggedRequest[];
  empty: Elements;
}) {
  return <DataTable columns={COLUMNS} empty={empty} label="Requests" rows={requests.map(toRow)} />;
}

function toRow({ id, method, path, status, code, actor, durationMs, createdAt }: LoggedRequest) {
  return {
    id,
    href: `/developers/api-log/${id}`,
    text: `${method} ${path}`,
    cells: [
      <code
        className="block max-w-96 truncate min-[90rem]:max-w-xl font-mono text-xs"
        key="request"
      >{`${method} ${path}`}</code>,
      <StatusLabel key="status" status={status} />,
      code === null ? null : (
        <code className="font-mono text-xs" key="code">
          {code}
        </code>
      ),
      actor?.name,
      `${durationMs.toLocaleString("en-US")} ms`,
      <Time at={createdAt} key="created" />,
    ],
  };
}
