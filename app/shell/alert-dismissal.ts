/** Holds the alerts that this browser has put aside for a day. */
export const DISMISSED_COOKIE = "floatdeck.dismissed";

const DAY_S = 86_400;
/** The alerts that can be put aside are few, and each has one key at a time. */
const KEYS_MAX = 8;

/** The alerts that were put aside. */
export function toDismissed(cookie: string | undefined): readonly string[] {
  return cookie === undefined || cookie === "" ? [] : cookie.split(".").slice(-KEYS_MAX);
}

/** Puts an alert aside for a day, in this browser. Another one of its kind appears all the same. */
export function dismiss(key: string, dismissed: readonly string[]): void {
  const keys = [...dismissed.filter((each) => each !== key), key].slice(-KEYS_MAX);
  document.cookie = `${DISMISSED_COOKIE}=${keys.join(".")}; path=/; max-age=${DAY_S}; samesite=lax`;
}
