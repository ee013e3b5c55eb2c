import { toOptions } from "../../../list/field.ts";
import { DAYS, declareList } from "../../../list/list.ts";
import type { Column } from "../../../ui/data-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { StatusLabel } from "./status-label.tsx";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { ERROR_CODES } from "#lib/base/error-codes.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { LoggedRequest } from "#lib/record/request-log.ts";
import { STATUS_CLASSES } from "#lib/record/request-classes.ts";

const OPERATION_IDS = OPERATIONS.filter(({ logged, kind }) => logged && kind !== "public")
  .filter(({ kind }) => kind !== "processor")
  .map(({ id }) => id)
  .toSorted();

const STATUS_NAMES = {
  "2xx": "2xx succeeded",
  "3xx": "3xx not modified",
  "4xx": "4xx refused",
  "5xx": "5xx server errors",
} as const;

const toOption = <Id extends string>(id: Id) => ({ id, name: id });

/** What the list can show of a request. */
export const REQUEST_COLUMNS: readonly Column<LoggedRequest>[] = [
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
  {
    id: "version",
    name: "API version",
    narrow: "below",
    isExtra: true,
    cell: ({ apiVersion }) => apiVersion,
  },
];

/** The API requests of an account, newest first. */
export const REQUESTS = declareList({
  path: "/developers/api-log",
  views: "api_log",
  noun: "requests",
  hint: "Requests are kept for 30 days.",
  columns: REQUEST_COLUMNS,
  fields: {
    pages: {
      kind: "segment",
      label: "Made by pages",
      all: "Programs",
      options: [{ id: "shown", name: "Made by pages, too" }],
    },
    operation: { kind: "choice", label: "Operation", options: OPERATION_IDS.map(toOption) },
    status: {
      kind: "choice",
      label: "Status",
      options: toOptions(STATUS_CLASSES, STATUS_NAMES),
    },
    code: { kind: "choice", label: "Error code", options: ERROR_CODES.toSorted().map(toOption) },
    actor_id: { kind: "person", label: "Caller" },
    api_version: { kind: "choice", label: "API version", options: API_VERSIONS.map(toOption) },
    request_id: { kind: "text", label: "Request ID" },
    ...DAYS,
    card_id: { kind: "card", label: "Card" },
  },
});
