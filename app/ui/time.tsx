import { ExactTimeText, TimeText } from "./time-text.tsx";

/** A moment, relative to now, with the exact time on hover. */
export function Time({ at }: { at: Date }) {
  return <TimeText at={at.toISOString()} />;
}

/** A moment to the second, where it is the subject, with its age on hover. */
export function ExactTime({ at }: { at: Date }) {
  return <ExactTimeText at={at.toISOString()} />;
}
