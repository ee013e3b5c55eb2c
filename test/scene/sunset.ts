import { topUpCard } from "#lib/operations/funds/top-up-card.ts";

/** The end of the deprecated operation, while a test rehearses it. */
export const SUNSET = new Date("2026-06-30T00:00:00Z");

/** Does work for which the deprecated operation has ended. */
export async function whileSunset<T>(work: () => Promise<T>): Promise<T> {
  const { deprecation } = topUpCard;
  if (!deprecation) {
    throw new Error("topUpCard is not deprecated.");
  }
  const { sunset } = deprecation;
  deprecation.sunset = SUNSET;
  try {
    return await work();
  } finally {
    deprecation.sunset = sunset;
  }
}
