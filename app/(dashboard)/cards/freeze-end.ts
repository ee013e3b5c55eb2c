import { addDays, toLocalDay, toLocalMoment } from "#lib/base/time-zone.ts";

export type FreezeEnd = "kept" | "none" | "hour" | "day" | "monday" | "date";

const NEVER = "When somebody lifts it";

interface Option {
  id: FreezeEnd;
  name: string;
}

const ENDS: readonly Option[] = [
  { id: "hour", name: "In 1 hour" },
  { id: "day", name: "In 24 hours" },
  { id: "monday", name: "On Monday at 9:00" },
  { id: "date", name: "At a date and time" },
];

/** When a new freeze ends, as options to choose from. */
export const FREEZE_ENDS: readonly Option[] = [{ id: "kept", name: NEVER }, ...ENDS];

/** When an existing freeze is to end. */
export const AMENDED_ENDS: readonly Option[] = [
  { id: "kept", name: "As before" },
  { id: "none", name: NEVER },
  ...ENDS,
];

const HOUR_MS = 60 * 60 * 1_000;
const HOURS = { hour: 1, day: 24 } as const;

/**
 * The chosen end, as the API takes it: null for none, undefined to keep that of an existing freeze. An incomplete
 * date stays as typed, and the API refuses it.
 * @param at the date and time as typed, on the clocks of the account's time zone.
 * @param now by the clock of the account.
 */
export function toFreezeEnd(
  end: FreezeEnd,
  at: string,
  { now, timeZone }: { now: Date; timeZone: string },
): string | null | undefined {
  if (end === "kept" || end === "none") {
    return end === "none" ? null : undefined;
  }
  if (end === "date") {
    return toLocalMoment(at, timeZone)?.toISOString() ?? at;
  }
  return end === "monday"
    ? toNextMonday(now, timeZone)?.toISOString()
    : new Date(now.getTime() + HOURS[end] * HOUR_MS).toISOString();
}

const WEEK_DAYS = 7;

/** Nine o'clock on the next Monday, or today if it is Monday and not nine yet. */
function toNextMonday(now: Date, timeZone: string): Date | undefined {
  const today = toLocalDay(now, timeZone);
  const distance = (1 - new Date(today).getUTCDay() + WEEK_DAYS) % WEEK_DAYS;
  const [first, second] = [distance, distance + WEEK_DAYS].map((days) =>
    toLocalMoment(`${addDays(today, days)}T09:00`, timeZone),
  );
  return first && first > now ? first : second;
}
