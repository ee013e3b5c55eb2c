/**
 * The distance between two consecutive readings, in microseconds, like that between two statements of a real
 * transaction.
 */
const TICK = 1_000;

/**
 * The clock of a transaction that records the past (`inPast`). It stands still between readings, only moves forward,
 * and never reaches the present.
 */
export class PastClock {
  readonly end: Date;
  private micros: number;

  constructor(span: { start: Date; end: Date }) {
    this.micros = span.start.getTime() * 1_000;
    this.end = span.end;
  }

  /** The time that it shows. */
  get at(): Date {
    return new Date(Math.floor(this.micros / 1_000));
  }

  /** Moves forward to a moment. Does nothing if that has passed already. */
  moveTo(at: Date): void {
    this.micros = Math.max(this.micros, at.getTime() * 1_000);
  }

  /**
   * @returns microseconds since 1970, later than every earlier reading.
   * @throws Error when the past is over.
   */
  read(): number {
    this.micros += TICK;
    if (this.micros >= this.end.getTime() * 1_000) {
      throw new Error("A past clock has reached the present.");
    }
    return this.micros;
  }
}

const clocks = new WeakMap<object, PastClock>();

/** The clock of a transaction that records the past. Undefined where the database's clock applies: everywhere else. */
export function pastClockOf(tx: object): PastClock | undefined {
  return clocks.get(tx);
}

/** Makes a transaction take its times and ids from a clock. For `inPast`, and for the savepoints within it. */
export function setPastClock(tx: object, clock: PastClock): void {
  clocks.set(tx, clock);
}
