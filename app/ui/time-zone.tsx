"use client";

import { createContext, use } from "react";
import type { ReactNode } from "react";
import { toTimeZoneName } from "#lib/base/time-zone.ts";

const TimeZone = createContext("UTC");

/**
 * Provides the time zone in which everything inside shows times and begins days: the account's, never the browser's.
 */
export function TimeZoneProvider({
  timeZone,
  children,
}: {
  timeZone: string;
  children: ReactNode;
}) {
  return <TimeZone value={timeZone}>{children}</TimeZone>;
}

/** The account's time zone. */
export function useTimeZone(): string {
  return use(TimeZone);
}

/** Shows which time zone the surrounding times use. */
export function TimeZoneNote({ of }: { of: "Dates and times" | "Days" }) {
  return <span className="text-muted text-xs">{`${of} in ${toTimeZoneName(useTimeZone())}`}</span>;
}
