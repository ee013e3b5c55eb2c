"use client";

import { useEffect, useState } from "react";
import { useTimeZone } from "./time-zone.tsx";
import { toAge, toClock, toExactTime } from "./time-format.ts";

const PERIOD_MS = 30_000;

/**
 * A moment relative to now, kept up to date, with the exact time on hover. The server's text stays until it changes.
 */
export function TimeText({ at }: { at: string }) {
  const timeZone = useTimeZone();
  const [, setUpdated] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setUpdated(Date.now()), PERIOD_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time
      className="whitespace-nowrap"
      dateTime={at}
      suppressHydrationWarning
      title={toExactTime(new Date(at), timeZone)}
    >
      {toAge(new Date(at), timeZone)}
    </time>
  );
}

/** A moment to the second, with its age on hover. */
export function ExactTimeText({ at }: { at: string }) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} suppressHydrationWarning title={toAge(new Date(at), timeZone)}>
      {toExactTime(new Date(at), timeZone)}
    </time>
  );
}

/** A moment to the minute below the heading of its day, with the exact time on hover. */
export function ClockText({ at }: { at: Date }) {
  const timeZone = useTimeZone();
  return (
    <time
      className="tabular-nums"
      dateTime={at.toISOString()}
      suppressHydrationWarning
      title={toExactTime(at, timeZone)}
    >
      {toClock(at, timeZone)}
    </time>
  );
}
