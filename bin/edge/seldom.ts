const PAUSE_MS = 60_000;

/** The same function, which does nothing within a minute of its last call: for what one sender could log without end. */
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
