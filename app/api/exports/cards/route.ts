import { exportCards as operation } from "#lib/operations/exports/export-cards.ts";
import { toCardsTable } from "#lib/api/export/export-tables.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const GET = serve(operation, {
  file: "cards",
  toTable: ({ query }) =>
    toCardsTable({
      cardholderId: query.user_id,
      statuses: query.status,
      search: query.search,
      metadata: query.metadata,
      order: query.order,
      ids: query.ids,
    }),
});
