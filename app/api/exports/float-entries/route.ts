import { exportFloatEntries as operation } from "#lib/operations/exports/export-float-entries.ts";
import { toFloatTable } from "#lib/api/export/export-tables.ts";
import { handleExport } from "#lib/api/edge/handle.ts";
import { toFloatFilter } from "#lib/api/wire/resources.ts";

export const GET = handleExport(operation, "float", ({ query }) =>
  toFloatTable(toFloatFilter(query)),
);
