import { toDay } from "../../../ui/day-range.ts";
import { toText } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { ERROR_CODES } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { STATUS_CLASSES } from "#lib/record/request-classes.ts";
import type { StatusClass } from "#lib/record/request-classes.ts";

/** The list's filters, as its URL has them. */
export interface LogFilter {
  operation?: string | undefined;
  status?: StatusClass | undefined;
  code?: string | undefined;
  actor_id?: string | undefined;
  api_version?: string | undefined;
  card_id?: string | undefined;
  request_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Filters from the URL; invalid values are ignored. */
export function toLogFilter(search: Readonly<Partial<Record<keyof LogFilter, Param>>>): LogFilter {
  return {
    operation: OPERATION_IDS.find((id) => id === search.operation),
    status: STATUS_CLASSES.find((each) => each === search.status),
    code: ERROR_CODES.find((code) => code === search.code),
    actor_id: toFilledId(search.actor_id),
    api_version: API_VERSIONS.find((version) => version === search.api_version),
    card_id: toFilledId(search.card_id),
    request_id: toText(search.request_id)?.trim() || undefined,
    from: toDay(search.from),
    to: toDay(search.to),
  };
}

function toFilledId(given: Param): string | undefined {
  const text = toText(given)?.trim().toLowerCase();
  return text !== undefined && isId(text) ? text : undefined;
}

const OPERATION_IDS = OPERATIONS.filter(({ logged, kind }) => logged && kind !== "public")
  .filter(({ kind }) => kind !== "processor")
  .map(({ id }) => id)
  .toSorted();

const STATUS_NAMES: Readonly<Record<StatusClass, string>> = {
  "2xx": "2xx succeeded",
  "3xx": "3xx not modified",
  "4xx": "4xx refused",
  "5xx": "5xx server errors",
};

const toOption = (id: string) => ({ id, name: id });

/** The values of each filter; `callers` are the keys and people to choose from. */
export function toChoices(callers: readonly { id: string; name: string }[]) {
  return [
    {
      name: "operation",
      label: "Operation",
      all: "All operations",
      options: OPERATION_IDS.map(toOption),
    },
    {
      name: "status",
      label: "Status",
      all: "All statuses",
      options: STATUS_CLASSES.map((id) => ({ id, name: STATUS_NAMES[id] })),
    },
    {
      name: "code",
      label: "Error code",
      all: "All error codes",
      options: ERROR_CODES.toSorted().map(toOption),
    },
    { name: "actor_id", label: "Caller", all: "All callers", options: callers },
    {
      name: "api_version",
      label: "API version",
      all: "All versions",
      options: API_VERSIONS.map(toOption),
    },
  ];
}
