import { addDays, toLocalDay, toLocalMoment } from "#lib/base/time-zone.ts";

/** When a freeze ends, as options to choose from. */
export const FREEZE_ENDS = [
  { id: "none", name: "When somebody lifts it" },
  { id: "hour", name: "In 1 hour" },
  { id: "day", name: "In 24 hours" },
  { id: "monday", name: "On Monday at 9:00" },
  { id: "date", name: "At a date and time" },
] as const;

export type FreezeEnd = (typeof FREEZE_ENDS)[number]["id"];

const HOUR_MS = 60 * 60 * 1_000;
const HOURS = { hour: 1, day: 24 } as const;

/**
 * The end that a person chose; undefined for none, and for a date that is not complete.
 * @param at the date and time as typed, on the clocks of the account's time zone.
 * @param now by the clock of the account.
 */
export function toFreezeEnd(
  end: FreezeEnd,
  at: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Date | undefined {
  if (end === "date") {
    return toLocalMoment(at, timeZone);
  }
  if (end === "monday") {
    return toNextMonday(now, timeZone);
  }
  return end === "none" ? undefined : new Date(now.getTime() + HOURS[end] * HOUR_MS);
}

const WEEK_DAYS = 7;

/** Nine o'clock on the next Monday; today, if it is Monday and not nine yet. */
function toNextMonday(now: Date, timeZone: string): Date | undefined {
  const today = toLocalDay(now, timeZone);
  const distance = (1 - new Date(today).getUTCDay() + WEEK_DAYS) % WEEK_DAYS;
  const [first, second] = [distance, distance + WEEK_DAYS].map((days) =>
    toLocalMoment(`${addDays(today, days)}T09:00`, timeZone),
  );
  return first && first > now ? first : second;
}
