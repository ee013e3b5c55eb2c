"use client";

import { createContext, use } from "react";
import type { ReactNode } from "react";

const ClockOffset = createContext(0);

/** Provides how many seconds ahead of real time the account's deadlines are: more than zero only in a sandbox. */
export function DeadlineClockProvider({
  clockOffsetS,
  children,
}: {
  clockOffsetS: number;
  children: ReactNode;
}) {
  return <ClockOffset value={clockOffsetS}>{children}</ClockOffset>;
}

/** How far the account's deadlines are ahead of real time, in seconds. */
export function useClockOffset(): number {
  return use(ClockOffset);
}
