import { exportFloatEntries as operation } from "#lib/operations/exports/export-float-entries.ts";
import { toFloatTable } from "#lib/api/export/export-tables.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toFloatFilter } from "#lib/api/wire/filters.ts";

export const GET = serve(operation, {
  toTable: ({ query }, { timeZone }) => toFloatTable(toFloatFilter(query), timeZone),
});
