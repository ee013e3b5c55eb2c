import { exportFloatEntries as operation } from "#lib/api/contract/exports.ts";
import { toFloatTable } from "#lib/api/export/export-tables.ts";
import { handleExport } from "#lib/api/edge/handle.ts";

export const GET = handleExport(operation, "float", () => toFloatTable());
