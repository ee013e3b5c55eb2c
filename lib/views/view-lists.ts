import type { VIEW_LISTS } from "#db/schema/view-rules.ts";

/** A list of the dashboard whose views can be saved. */
export type ViewList = (typeof VIEW_LISTS)[number];

/** What each list is called within a sentence. */
export const VIEW_LIST_NAMES: Readonly<Record<ViewList, string>> = {
  cards: "cards",
  cardholders: "cardholders",
  transactions: "transactions",
  float: "the float",
  events: "events",
  webhook_deliveries: "webhook deliveries",
  api_log: "the API log",
  audit_log: "the audit log",
};

/** Whether a text names a list whose views can be saved. */
export function isViewList(text: string): text is ViewList {
  return Object.hasOwn(VIEW_LIST_NAMES, text);
}

/** How many views a person may keep for themselves, and how many an account may share. */
export const VIEWS_MAX = 50;
