import { TimeText } from "./time-text.tsx";
import { toAge, toExactTime } from "./time-format.ts";

/** A moment, relative to now, with the exact time on hover. */
export function Time({ at }: { at: Date }) {
  return <TimeText at={at.toISOString()} exact={toExactTime(at)} initial={toAge(at)} />;
}

/** A moment to the second, where it is the subject; how long ago on hover. */
export function ExactTime({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} suppressHydrationWarning title={toAge(at)}>
      {toExactTime(at)}
    </time>
  );
}
