import { exportCards as operation } from "#lib/operations/exports/export-cards.ts";
import { toCardsTable } from "#lib/api/export/export-tables.ts";
import { toCardFilter } from "#lib/api/wire/filters.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const GET = serve(operation, {
  toTable: ({ query }) => toCardsTable(toCardFilter(query)),
});
