import { FIELD_KINDS } from "./field.ts";
import type { Fields } from "./field.ts";
import type { Look } from "./look.ts";
import { RANGES } from "../ui/day-range.ts";
import { toId, toText } from "../ui/search-params.ts";
import type { Param } from "../ui/search-params.ts";
import type { Column } from "../ui/data-table.tsx";
import { toHref } from "../ui/pager.tsx";
import type { ViewList } from "#lib/views/view-lists.ts";

/** How many rows of a list a page shows. */
export const LIST_ROWS = 50;

/** A column, for those who choose among them. */
export type ColumnName = Pick<Column<never>, "id" | "name" | "isExtra">;

/** The values that filters can have. */
type Values<Of extends Fields> = {
  readonly [Name in keyof Of]:
    | (Of[Name] extends { options: readonly { id: infer Id }[] } ? Id : string)
    | undefined;
};

/** A list: where it is, what it shows, and what narrows it down. Its page, dialogs, chips, and links follow from this. */
export interface List<Of extends Fields = Fields> {
  path: string;
  /** The whole list's path, if different. */
  allHref?: string;
  /** What its saved views are of. */
  views: ViewList;
  /** What its rows are: `transactions`. */
  noun: string;
  /** What helps if nothing is found. */
  hint: string;
  /** By their members of the URL, which are those of the API where it has them. */
  fields: Of;
  /** The columns of its table, if it has one. */
  columns?: readonly ColumnName[];
  /** The operation that exports all pages. */
  exportPath?: string;
  /** Reads the position in the list. Ids unless given. */
  toCursor?: (given: Param) => string | undefined;
}

/** How a list looks, beside its filters, and the saved view that it was last taken from. */
const LOOK = {
  columns: { kind: "columns", label: "Columns" },
  density: {
    kind: "density",
    label: "Rows",
    options: [{ id: "compact", name: "Compact" }],
  },
  view: { kind: "view", label: "View" },
} as const satisfies Fields;

/** Declares a list. One with columns also has the members of {@link Look} in its URL. */
export function declareList<const Of extends Fields>(list: List<Of>): List<Of & typeof LOOK> {
  // The first column names the row and is always there.
  const columns = { ...LOOK.columns, options: (list.columns ?? []).slice(1) };
  return { ...list, fields: { ...list.fields, ...LOOK, columns } };
}

/** Days of the account's time zone: a range of them, or the first and the last one. */
export const DAYS = {
  range: {
    kind: "segment",
    label: "Dates",
    all: "All time",
    options: RANGES,
    replaces: ["from", "to"],
  },
  from: { kind: "day", label: "From", word: "From", replaces: ["range"] },
  to: { kind: "day", label: "To", word: "Through", replaces: ["range"] },
} as const satisfies Fields;

export type Search = Readonly<Record<string, Param>>;

/** What a URL asks of a list. */
export interface AskedList {
  list: List;
  /** The values of its filters; undefined if it is not filtered by one. */
  values: Readonly<Record<string, string | undefined>>;
  cursor: string | undefined;
  /** The members of the URL, as they were given. */
  given: Search;
}

/** The same of one list, whose values are known. */
export type Asked<Of extends List> = AskedList & { values: Values<Of["fields"]> };

/** Reads the members of a URL. Invalid values are ignored, which `IgnoredFilters` says. */
export function readAsked<Of extends Fields>(list: List<Of>, given: Search): Asked<List<Of>>;
// A field with options yields one of their ids. The compiler cannot infer this from `FIELD_KINDS`.
export function readAsked(list: List, given: Search): AskedList {
  const values = Object.fromEntries(
    Object.entries(list.fields).map(([name, field]) => [
      name,
      FIELD_KINDS[field.kind].read(toText(given[name])?.trim() ?? "", field),
    ]),
  );
  const cursor = (list.toCursor ?? toId)(given["cursor"]);
  return { list, values, cursor, given };
}

/** Whether anything narrows the list down; its order and its look do not. */
export function isFiltered({ list, values }: AskedList): boolean {
  return Object.entries(list.fields).some(
    ([name, { kind }]) => kind !== "order" && !(name in LOOK) && values[name] !== undefined,
  );
}

/** The filters and the order, without the look. */
export function toFilters({ values }: AskedList): AskedList["values"] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in LOOK)));
}

/** How the list is to look. */
export function toLook({ values: { columns, density } }: Asked<List<typeof LOOK>>): Look {
  return { columns, density };
}

/** The list's URL with some members changed, from its first page. */
export function toListHref(
  { list, values }: AskedList,
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  return toHref(list.path, { ...values, ...changes });
}
