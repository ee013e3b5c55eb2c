/** The category or country of purchases whose merchant's own is unknown. */
export const UNKNOWN_SPEND = "unknown";

/** The name of a merchant that the network does not name. */
export const UNNAMED_MERCHANT = "Unknown merchant";
