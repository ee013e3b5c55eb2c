import { REQUEST_COLUMNS } from "./requests-list.tsx";
import { chooseColumns } from "../../../list/look.ts";
import type { Look } from "../../../list/look.ts";
import type { Elements } from "../../../ui/elements.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import type { LoggedRequest } from "#lib/record/request-log.ts";

/** Requests, newest first, linked to their details. */
export function LogTable({
  requests,
  empty,
  look,
}: {
  requests: readonly LoggedRequest[];
  empty: Elements;
  look: Look;
}) {
  return (
    <DataTable
      columns={chooseColumns(REQUEST_COLUMNS, look)}
      density={look.density}
      empty={empty}
      hrefOf={({ id }) => `/developers/api-log/${id}`}
      idOf={({ id }) => id}
      items={requests}
      label="Requests"
    />
  );
}
