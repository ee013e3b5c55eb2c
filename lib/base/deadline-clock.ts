/**
 * The clock by which an integrator's deadlines are set and compared. It shows real time, except in a sandbox whose
 * clock was advanced. `lib/clock/internal/deadlines.ts` lists every deadline that it applies to. Records keep real
 * time.
 */
export interface DeadlineClock {
  /** How far it is ahead of real time, in seconds; 0 in live. */
  clockOffsetS: number;
}

/** What this clock shows at a moment of real time. */
export function toDeadlineTime({ clockOffsetS }: DeadlineClock, at: Date): Date {
  return new Date(at.getTime() + clockOffsetS * 1_000);
}

/** Whether a deadline has passed by this clock at a moment of real time. Null never passes. */
export function hasPassed(clock: DeadlineClock, deadline: Date | null, at: Date): boolean {
  return deadline !== null && deadline <= toDeadlineTime(clock, at);
}

/** How far a sandbox's clock may be advanced at once, in seconds: 400 days. */
export const ADVANCE_MAX_S = 400 * 24 * 60 * 60;

const UNITS = [
  ["day", 24 * 60 * 60],
  ["hour", 60 * 60],
  ["minute", 60],
  ["second", 1],
] as const;

/** How far a clock is ahead, in words, in its two largest units: `3 days`, `1 day 2 hours`. */
export function toAheadText(seconds: number): string {
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const number = Math.floor(rest / size);
    rest -= number * size;
    if (number > 0 && parts.length < 2) {
      parts.push(`${number} ${unit}${number === 1 ? "" : "s"}`);
    }
  }
  return parts.join(" ");
}
