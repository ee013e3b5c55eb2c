import { DELIVERIES, DELIVERY_COLUMNS } from "./deliveries-list.tsx";
import { chooseColumns } from "../../../list/look.ts";
import type { Look } from "../../../list/look.ts";
import { NothingFound } from "../../../list/nothing-found.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import type { Delivery } from "#lib/webhooks/deliveries.ts";

/** Deliveries, newest first, linked to their attempts. */
export function DeliveriesTable({
  deliveries,
  isFiltered,
  look,
}: {
  deliveries: readonly Delivery[];
  isFiltered: boolean;
  look: Look;
}) {
  return (
    <DataTable
      columns={chooseColumns(DELIVERY_COLUMNS, look)}
      density={look.density}
      empty={
        isFiltered ? (
          <NothingFound list={DELIVERIES} />
        ) : (
          <Empty title="No deliveries yet">
            Each event that is sent to the endpoint appears here.
          </Empty>
        )
      }
      hrefOf={({ id }) => `/developers/webhooks/deliveries/${id}`}
      idOf={({ id }) => id}
      items={deliveries}
      label="Deliveries"
    />
  );
}
