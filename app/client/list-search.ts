/** The lists whose rows have a page of their own. */
const LISTS = [
  "/cards",
  "/approvals",
  "/cards/bulk",
  "/cardholders",
  "/transactions",
  "/float",
  "/developers/events",
  "/developers/webhooks",
  "/developers/api-log",
  "/developers/scenarios",
  "/settings/outbox",
] as const;

export type List = (typeof LISTS)[number];

export function isList(path: string): path is List {
  return LISTS.some((list) => list === path);
}

const toKey = (list: List) => `floatdeck.list ${list}`;

/** Remembers a list's filters and position in this tab. */
export function rememberSearch(list: List, search: string): void {
  try {
    sessionStorage.setItem(toKey(list), search);
  } catch {
    // If storage is off or full, the way back leads to the unfiltered list.
  }
}

/** A list's URL as it was last shown in this tab. It always leads to the list itself, whatever the storage holds. */
export function toListHref(list: List): string {
  try {
    const search = new URLSearchParams(sessionStorage.getItem(toKey(list)) ?? "").toString();
    return search === "" ? list : `${list}?${search}`;
  } catch {
    return list;
  }
}
