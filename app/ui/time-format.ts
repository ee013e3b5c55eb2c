const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const RELATIVE_DAYS_MAX = 7;

/** Caches the format, because creating one costs far more than using it. */
function cached(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const known = formats.get(timeZone);
    if (known) {
      return known;
    }
    const format = toFormat({ ...options, timeZone });
    formats.set(timeZone, format);
    return format;
  };
}

/** Falls back to UTC in a browser that does not know the zone, and the time then says so. */
function toFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", options);
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
}

const toDateFormat = cached({ dateStyle: "medium" });
const toMinuteFormat = cached({ dateStyle: "medium", timeStyle: "short" });
const toClockFormat = cached({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const toExactFormat = cached({ dateStyle: "medium", timeStyle: "long" });

/** `just now`, `5 min ago`, `3 hr ago`, `2 days ago`, and the date from a week on. The future likewise: `in 3 hr`. */
export function toAge(at: Date, timeZone: string): string {
  const ageS = Math.round((Date.now() - at.getTime()) / 1_000);
  const distance = Math.abs(ageS);
  if (distance >= RELATIVE_DAYS_MAX * DAY_S) {
    return toDateFormat(timeZone).format(at);
  }
  if (distance < MINUTE_S) {
    return ageS >= 0 ? "just now" : "in a moment";
  }
  const words = toWords(distance);
  return ageS >= 0 ? `${words} ago` : `in ${words}`;
}

/** The time between two moments: `12 min`, `3 hr`, seconds below a minute, and `less than 1 sec`. */
export function toSpan(from: Date, to: Date): string {
  const seconds = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000));
  if (seconds === 0) {
    return "less than 1 sec";
  }
  return seconds < MINUTE_S ? `${seconds} sec` : toWords(seconds);
}

function toWords(distanceS: number): string {
  if (distanceS < HOUR_S) {
    return `${Math.floor(distanceS / MINUTE_S)} min`;
  }
  if (distanceS < DAY_S) {
    return `${Math.floor(distanceS / HOUR_S)} hr`;
  }
  const days = Math.floor(distanceS / DAY_S);
  return days === 1 ? "1 day" : `${days} days`;
}

/** A moment to the second, with its zone: `Mar 8, 2026, 8:00:00 AM EDT`. */
export function toExactTime(at: Date, timeZone: string): string {
  return toExactFormat(timeZone).format(at);
}

/** A moment to the minute, where its zone is shown elsewhere: `Mar 8, 2026, 8:00 AM`. */
export function toMinute(at: Date, timeZone: string): string {
  return toMinuteFormat(timeZone).format(at);
}

/** The day of a moment: `Mar 8, 2026`. */
export function toDate(at: Date, timeZone: string): string {
  return toDateFormat(timeZone).format(at);
}

/** The time of a moment whose day is shown elsewhere: `22:41`. */
export function toClock(at: Date, timeZone: string): string {
  return toClockFormat(timeZone).format(at);
}
