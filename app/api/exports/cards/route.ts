import { exportCards as operation } from "#lib/operations/exports/export-cards.ts";
import { toCardsTable } from "#lib/api/export/export-tables.ts";
import { handleExport } from "#lib/api/edge/handle.ts";

export const GET = handleExport(operation, "cards", ({ query }) =>
  toCardsTable({
    cardholderId: query.user_id,
    statuses: query.status,
    search: query.search,
    metadata: query.metadata,
    order: query.order,
    ids: query.ids,
  }),
);
