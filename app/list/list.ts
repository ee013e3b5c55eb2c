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

/** A column, in the dialog that chooses columns. */
export type ColumnName = Pick<Column<never>, "id" | "name" | "isExtra">;

/** The values that filters can have. */
type Values<Of extends Fields> = {
  readonly [Name in keyof Of]:
    | (Of[Name] extends { options: readonly { id: infer Id }[] } ? Id : string)
    | undefined;
};

/** A list: its path, its content, and its filters. Its page, dialogs, chips, and links follow from this. */
export interface List<Of extends Fields = Fields> {
  path: string;
  /** The whole list's path, if different. */
  allHref?: string;
  /** The kind of its saved views. */
  views: ViewList;
  /** What its rows are: `transactions`. */
  noun: string;
  /** Advice for when nothing is found. */
  hint: string;
  /** By their names in the URL, which are those of the API where it has them. */
  fields: Of;
  /** The columns of its table, if it has one. */
  columns?: readonly ColumnName[];
  /** The operation that exports all pages. */
  exportPath?: string;
  /** Reads the position in the list. By default, an id. */
  toCursor?: (given: Param) => string | undefined;
}

/** The members of a list's look, in addition to its filters, and the saved view that the list was last opened from. */
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
  // The first column names the row and is always shown.
  const columns = { ...LOOK.columns, options: (list.columns ?? []).slice(1) };
  return { ...list, fields: { ...list.fields, ...LOOK, columns } };
}

/** Days of the account's time zone: a range of them, or the first and the last day. */
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

/** A list's filters, order, look, and cursor, as read from its URL. */
export interface ListQuery {
  list: List;
  /** The values of its filters; undefined if it is not filtered by one. */
  values: Readonly<Record<string, string | undefined>>;
  cursor: string | undefined;
  /** The members of the URL, as they were given. */
  given: Search;
}

/** The query of one list, with the types of its values. */
export type ListQueryOf<Of extends List> = ListQuery & { values: Values<Of["fields"]> };

/** Reads a list's query from its URL. Invalid values are ignored; `IgnoredFilters` tells the user. */
export function readListQuery<Of extends Fields>(
  list: List<Of>,
  given: Search,
): ListQueryOf<List<Of>>;
// A field with options yields one of their ids. The compiler cannot infer this from `FIELD_KINDS`.
export function readListQuery(list: List, given: Search): ListQuery {
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
export function isFiltered({ list, values }: ListQuery): boolean {
  return Object.entries(list.fields).some(
    ([name, { kind }]) => kind !== "order" && !(name in LOOK) && values[name] !== undefined,
  );
}

/** The filters and the order, without the look. */
export function toFilters({ values }: ListQuery): ListQuery["values"] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in LOOK)));
}

/** The look of the list. */
export function toLook({ values: { columns, density } }: ListQueryOf<List<typeof LOOK>>): Look {
  return { columns, density };
}

/** The list's URL with some members changed, from its first page. */
export function toListHref(
  { list, values }: ListQuery,
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  return toHref(list.path, { ...values, ...changes });
}
