import { PLACES } from "./places.ts";

/** Where `g` followed by a letter leads. */
export const GO_TO: Readonly<Record<string, string>> = {
  o: "/overview",
  c: "/cards",
  h: "/cardholders",
  t: "/transactions",
  v: "/approvals",
  f: "/float",
  i: "/insights",
  w: "/developers/webhooks",
  e: "/developers/events",
  k: "/developers/api-keys",
  p: "/developers/api-log",
  d: "/developers/deprecations",
  n: "/developers/scenarios",
  r: "/docs",
  a: "/settings/account",
  s: "/settings/staff",
  y: "/settings/security",
  m: "/settings/outbox",
  l: "/settings/audit-log",
};

export interface Shortcut {
  keys: readonly string[];
  does: string;
}

/** All shortcuts, as the help dialog lists them. */
export function listShortcuts(): { heading: string; shortcuts: readonly Shortcut[] }[] {
  const names = new Map(
    PLACES.flatMap(({ places }) => places).map(({ href, name }) => [href, name]),
  );
  return [
    {
      heading: "Anywhere",
      shortcuts: [
        { keys: ["⌘ or Ctrl", "K"], does: "Search, go to a page, act on a card" },
        { keys: ["/"], does: "Search this page's list" },
        { keys: ["A"], does: "This page's main action" },
        { keys: ["?"], does: "Show these shortcuts" },
      ],
    },
    {
      heading: "In a list",
      shortcuts: [
        { keys: ["Enter"], does: "Open the record, beside the list on a wide screen" },
        { keys: ["↑"], does: "Previous record" },
        { keys: ["↓"], does: "Next record" },
        { keys: ["Esc"], does: "Close the record" },
      ],
    },
    {
      heading: "Go to",
      shortcuts: Object.entries(GO_TO).map(([letter, href]) => ({
        keys: ["G", letter.toUpperCase()],
        does: names.get(href) ?? href,
      })),
    },
  ];
}

/**
 * Triggers the page's main action, if it has one: the last button or link of its header. Links that switch the view,
 * which are inside a `nav`, do not count. A disabled action is focused, which shows its reason.
 */
export function doMainAction(): void {
  const place = document.querySelector<HTMLElement>("[data-main-action]");
  const action = place?.matches("button")
    ? place
    : [...(place?.querySelectorAll<HTMLElement>(":is(button, a):not(nav *)") ?? [])].at(-1);
  action?.focus();
  action?.click();
}

/** Focuses the search of the page's list. Returns whether there is one. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>("main input[type=search]");
  field?.focus();
  return field !== null;
}
