/** The lists of the dashboard whose views can be saved, by their names in the API. */
export const VIEW_LISTS = [
  "cards",
  "cardholders",
  "transactions",
  "float",
  "events",
  "webhook_deliveries",
  "api_log",
  "audit_log",
] as const;

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

/** How many views a person may keep for themselves, and how many an account may share. */
export const VIEWS_MAX = 50;
