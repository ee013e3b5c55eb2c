import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { EndpointStateLabel } from "../../../ui/endpoint-state.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { AddEndpoint } from "./endpoint-buttons.tsx";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";
import { explainFull } from "#lib/webhooks/further-endpoints.ts";

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    id: "url",
    name: "URL",
    narrow: "below",
    cell: ({ webhookUrl }) => (
      <span className="block max-w-96 truncate font-mono text-xs">{webhookUrl}</span>
    ),
  },
  {
    id: "events",
    name: "Events",
    narrow: "below",
    cell: ({ events }) => (
      <span className="text-muted block max-w-80 truncate">{events?.join(", ")}</span>
    ),
  },
  {
    id: "state",
    name: "Status",
    align: "end",
    narrow: "beside",
    cell: (endpoint) => <EndpointStateLabel endpoint={endpoint} />,
  },
];

/** The endpoints in addition to the account's, each linked to its page. */
export function EndpointsPanel({
  endpoints,
  disabledReason,
}: {
  endpoints: readonly Endpoint[];
  /** Why this person may not change anything; null if they may. */
  disabledReason: string | null;
}) {
  return (
    <Panel
      action={<AddEndpoint disabledReason={disabledReason ?? explainFull(endpoints.length + 1)} />}
      flush
      title="More endpoints"
    >
      <DataTable
        columns={COLUMNS}
        empty={
          <Empty title="No other endpoints">
            Another endpoint gets the events you choose, with a signing secret of its own.
          </Empty>
        }
        label="More endpoints"
        hrefOf={({ id }) => `/developers/webhooks/endpoints/${id}`}
        idOf={({ id }) => id}
        items={endpoints}
      />
    </Panel>
  );
}
