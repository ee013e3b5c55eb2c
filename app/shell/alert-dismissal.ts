/** The cookie with the alerts that this browser has dismissed for a day. */
export const DISMISSED_COOKIE = "floatdeck.dismissed";

const DAY_S = 86_400;
/** Few alerts can be dismissed, and each has only one key at a time. */
const KEYS_MAX = 8;

/** The alerts that were dismissed. */
export function toDismissed(cookie: string | undefined): readonly string[] {
  return cookie === undefined || cookie === "" ? [] : cookie.split(".").slice(-KEYS_MAX);
}

/** Dismisses an alert for a day in this browser. Other alerts of its kind still appear. */
export function dismiss(key: string, dismissed: readonly string[]): void {
  const keys = [...dismissed.filter((each) => each !== key), key].slice(-KEYS_MAX);
  document.cookie = `${DISMISSED_COOKIE}=${keys.join(".")}; path=/; max-age=${DAY_S}; samesite=lax`;
}
