import { toDay } from "../ui/day-range.ts";
import { toId } from "../ui/search-params.ts";
import { formatMoney } from "#lib/base/money.ts";

/** A value to choose, with its name. */
export interface Option<Id extends string = string> {
  id: Id;
  name: string;
}

/**
 * A filter of a list. A `segment` is a choice above the list. A `person` is one of the people that the page names. A
 * `record`, a `linkedText`, and a `linkedDay` are only set by links.
 */
export interface Field<Id extends string = string> {
  kind: FieldKind;
  label: string;
  /** The values to choose from. */
  options?: readonly Option<Id>[];
  /** The name of a segment for no value. */
  all?: string;
  /** Precedes the value in words: "Through 2026-10-31". */
  word?: string;
  placeholder?: string;
  /** The filters that are removed when this one is set. */
  replaces?: readonly string[];
}

export type Fields = Readonly<Record<string, Field>>;

/** The names of records that a page knows, by filter. */
export type Names = Readonly<Record<string, readonly Option[]>>;

export function toOptions<Id extends string>(
  ids: readonly Id[],
  names: Readonly<Record<Id, string>>,
): readonly Option<Id>[] {
  return ids.map((id) => ({ id, name: names[id] }));
}

/** The API's limit. */
const TEXT_MAX = 255;
const MINOR_UNITS = /^[0-9]{1,15}$/u;
const CATEGORY = /^(?:[0-9]{4}|unknown)$/u;
const COUNTRY = /^(?:[A-Z]{2,3}|unknown)$/u;

interface Applied {
  field: Field;
  value: string;
  /** The records whose names the page knows. */
  named: readonly Option[];
  currency: string;
}

/** A kind of filter. */
export interface Kind {
  /** Where a filter is set: above the list, in the dialog, or only by links of other pages. `look` is not a filter. */
  place: "bar" | "dialog" | "link" | "look";
  /** @returns undefined for a text that is not a valid value. */
  read: (text: string, field: Field) => string | undefined;
  /** The filter in words. Absent if the control itself always shows its value. */
  toWords?: (applied: Applied) => string | undefined;
}

const readOption: Kind["read"] = (text, { options }) => options?.find(({ id }) => id === text)?.id;

const readText: Kind["read"] = (text) => text.slice(0, TEXT_MAX) || undefined;

const readId: Kind["read"] = (text) => toId(text)?.toLowerCase();

const findName = (options: readonly Option[] = [], value: string) =>
  options.find(({ id }) => id === value)?.name;

const toRecordWords = ({ field, value, named }: Applied) =>
  `${field.label}: ${findName(named, value) ?? "unknown"}`;

const toNamedWords = ({ field, value, named }: Applied) =>
  `${field.label}: ${findName(named, value) ?? value}`;

const TEXT = {
  read: readText,
  toWords: ({ field, value }) => `${field.label}: ${value}`,
} satisfies Omit<Kind, "place">;

const DAY = {
  read: (text) => toDay(text),
  toWords: ({ field, value }) => `${field.word} ${value}`,
} satisfies Omit<Kind, "place">;

/** The kinds of filters: how a value is read from a URL, where it is set, and how it is shown. */
export const FIELD_KINDS = {
  search: { place: "bar", read: readText },
  segment: { place: "bar", read: readOption },
  order: { place: "bar", read: readOption },
  choice: {
    place: "dialog",
    read: readOption,
    toWords: ({ field, value }) => findName(field.options, value),
  },
  card: {
    place: "dialog",
    read: readId,
    toWords: ({ value, named }) => findName(named, value) ?? "Unknown card",
  },
  person: { place: "dialog", read: readId, toWords: toRecordWords },
  record: { place: "link", read: readId, toWords: toRecordWords },
  text: { place: "dialog", ...TEXT },
  linkedText: { place: "link", ...TEXT },
  category: {
    place: "dialog",
    read: (text) => (CATEGORY.test(text) ? text : undefined),
    toWords: toNamedWords,
  },
  country: {
    place: "dialog",
    read: (text) => (COUNTRY.test(text) ? text : undefined),
    toWords: toNamedWords,
  },
  day: { place: "dialog", ...DAY },
  linkedDay: { place: "link", ...DAY },
  amount: {
    place: "dialog",
    read: (text) => (MINOR_UNITS.test(text) ? text : undefined),
    toWords: ({ field, value, currency }) =>
      `${field.word} ${formatMoney(Number(value), currency)}`,
  },
  columns: {
    place: "look",
    read: (text, { options }) => {
      const ids = new Set(text.split(","));
      const known = [...ids].filter((each) => findName(options, each) !== undefined);
      return known.join(",") || undefined;
    },
  },
  density: { place: "look", read: readOption },
  view: { place: "look", read: readId },
} as const satisfies Readonly<Record<string, Kind>>;

export type FieldKind = keyof typeof FIELD_KINDS;
