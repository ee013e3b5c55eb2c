import { UNKNOWN_SPEND } from "#db/schema/unknown-spend.ts";

/** Merchants of which it is not known: as filters name them, and in words. */
export const UNKNOWN_CATEGORY = { id: UNKNOWN_SPEND, name: "Unknown category" };
export const UNKNOWN_COUNTRY = { id: UNKNOWN_SPEND, name: "Unknown country" };
