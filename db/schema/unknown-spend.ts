/** The category or country of purchases whose merchant's own is unknown. */
export const UNKNOWN_SPEND = "unknown";
