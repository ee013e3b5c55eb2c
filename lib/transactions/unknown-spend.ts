import { UNKNOWN_SPEND } from "#db/schema/unknown-spend.ts";

/** Merchants whose category or country is unknown: the value for filters, and the name for people. */
export const UNKNOWN_CATEGORY = { id: UNKNOWN_SPEND, name: "Unknown category" };
export const UNKNOWN_COUNTRY = { id: UNKNOWN_SPEND, name: "Unknown country" };
