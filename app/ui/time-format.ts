const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const RELATIVE_DAYS_MAX = 7;

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const EXACT = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});

/** `just now`, `5 min ago`, `3 hr ago`, `2 days ago`, and the date from a week on. The future likewise: `in 3 hr`. */
function toRelativeTime(at: Date, now: Date): string {
  const ageS = Math.round((now.getTime() - at.getTime()) / 1_000);
  const distance = Math.abs(ageS);
  if (distance >= RELATIVE_DAYS_MAX * DAY_S) {
    return DATE.format(at);
  }
  if (distance < MINUTE_S) {
    return ageS >= 0 ? "just now" : "in a moment";
  }
  const words = toWords(distance);
  return ageS >= 0 ? `${words} ago` : `in ${words}`;
}

/** As `toRelativeTime`, at this very moment. */
export function toAge(at: Date): string {
  return toRelativeTime(at, new Date());
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

/** A moment to the second, in UTC. */
export function toExactTime(at: Date): string {
  return `${EXACT.format(at)} UTC`;
}
