const PAUSE_MS = 60_000;

/** Limits a function to one call a minute and ignores the others: for log lines that a sender could cause endlessly. */
export function seldom<Args extends unknown[]>(
  report: (...args: Args) => void,
): (...args: Args) => void {
  let reportedAt = -PAUSE_MS;
  return (...args) => {
    if (performance.now() - reportedAt >= PAUSE_MS) {
      reportedAt = performance.now();
      report(...args);
    }
  };
}
