import { TimeText } from "./time-text.tsx";
import { toAge, toExactTime } from "./time-format.ts";

/** A moment, relative to now, with the exact time on hover. */
export function Time({ at }: { at: Date }) {
  return <TimeText at={at.toISOString()} exact={toExactTime(at)} initial={toAge(at)} />;
}
