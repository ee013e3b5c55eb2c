import { toOptions } from "../../list/field.ts";
import { DAYS, declareList } from "../../list/list.ts";
import { toPosition } from "../../ui/search-params.ts";
import { FLOAT_KIND_NAMES, FLOAT_KINDS } from "#lib/funds/float-kinds.ts";
import { FLOAT_COLUMNS } from "./float-columns.tsx";

/** What moved the float, newest first. */
export const FLOAT = declareList({
  path: "/float",
  views: "float",
  noun: "activity",
  hint: "Remove a filter to see more.",
  exportPath: "/api/exports/float-entries",
  toCursor: toPosition,
  columns: FLOAT_COLUMNS,
  fields: {
    kind: { kind: "choice", label: "Type", options: toOptions(FLOAT_KINDS, FLOAT_KIND_NAMES) },
    card_id: { kind: "card", label: "Card" },
    ...DAYS,
  },
});
