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

/** The maximum number of characters in the name of a saved view, and in its query. */
export const VIEW_NAME_MAX = 60;
export const VIEW_QUERY_MAX = 2_000;
