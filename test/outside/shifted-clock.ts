/**
 * Preloaded into a program (`--import`), this shifts its clock ahead of the machine's: first by CLOCK_SHIFT_MS, then by the
 * last value passed to `shiftClock`. Timers and the monotonic clock are unaffected, as when a clock is set.
 */
const SHIFT = Symbol.for("floatdeck.testing.clock-shift");
const holder: { [SHIFT]?: number } & typeof globalThis = globalThis;
holder[SHIFT] = Number(process.env["CLOCK_SHIFT_MS"] ?? 0);

const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parts: [] | [number | string | Date]) {
    super(parts.length === 0 ? ShiftedDate.now() : parts[0]);
  }

  static override now(): number {
    return RealDate.now() + (holder[SHIFT] ?? 0);
  }
}

Object.assign(globalThis, { Date: ShiftedDate });

/** Sets the clock to this many milliseconds ahead of the machine's. */
export function shiftClock(ms: number): void {
  holder[SHIFT] = ms;
}
