"use client";

import { createContext, use } from "react";
import type { ReactNode } from "react";
import { toTimeZoneName } from "#lib/base/time-zone.ts";

const TimeZone = createContext("UTC");

/** Says in which time zone everything inside shows times and begins days: the account's, never the browser's. */
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

/** Names the zone that what is nearby is in. */
export function TimeZoneNote({ of }: { of: "Dates and times" | "Days" }) {
  return <span className="text-muted text-xs">{`${of} in ${toTimeZoneName(useTimeZone())}`}</span>;
}
