const MINUTE_S = 60;

/** A wait in words, rounded up: `1 second`, `45 seconds`, `15 minutes`. */
export function toWaitText(seconds: number): string {
  const isShort = seconds <= MINUTE_S;
  const count = isShort ? seconds : Math.ceil(seconds / MINUTE_S);
  return `${count} ${isShort ? "second" : "minute"}${count === 1 ? "" : "s"}`;
}
