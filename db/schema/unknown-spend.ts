/** The category, and the country, of what was bought from a merchant of which it is not known. */
export const UNKNOWN_SPEND = "unknown";
