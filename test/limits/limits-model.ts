import type {
  LimitInterval,
  SpendingControls,
  SpendingLimit,
} from "#lib/cards/spending-controls.ts";

/**
 * What a model knows of a card with spending controls, and how it decides. It knows no period by its ends: two moments are
 * in the same one if the dates of the zone say so. Amounts in minor units, moments in milliseconds of the account's clock.
 */

export interface Row {
  id: string;
  /** What it still holds, and until when; 0 for one that never held anything. */
  open: number;
  dueAt: number;
  settled: number;
  counted: number;
  at: number;
  mcc: string | null;
}

export interface Model {
  zone: string;
  own: SpendingControls | null;
  ofAccount: SpendingControls | null;
  rows: Row[];
}

export interface Question {
  amount: number;
  mcc: string | null;
  country: string | null;
  allowPartial: boolean;
  /** The row that it increases. */
  of?: Row;
  available: number;
  now: number;
}

const KEYS: Readonly<Record<LimitInterval, (date: string, monday: string) => string>> = {
  per_authorization: () => "",
  daily: (date) => date,
  weekly: (_, monday) => monday,
  monthly: (date) => date.slice(0, 7),
  yearly: (date) => date.slice(0, 4),
  all_time: () => "",
};

/** The name of the period that a moment belongs to. */
export function toPeriodKey(interval: LimitInterval, at: number, timeZone: string): string {
  const date = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
  const day = new Date(`${date}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return KEYS[interval](date, day.toISOString().slice(0, 10));
}

/** The controls that apply. */
export function toEffective({ own, ofAccount }: Model): SpendingControls | null {
  return own ?? ofAccount;
}

/** What is used of a limit in the period of a moment; null for one per authorization. */
export function toUsed({ rows, zone }: Model, limit: SpendingLimit, now: number): number | null {
  const { interval } = limit;
  if (interval === "per_authorization") {
    return null;
  }
  const key = toPeriodKey(interval, now, zone);
  return rows
    .filter(({ at, mcc }) => isFor(limit, mcc) && toPeriodKey(interval, at, zone) === key)
    .reduce((sum, { counted }) => sum + counted, 0);
}

function isFor({ categories }: SpendingLimit, mcc: string | null): boolean {
  return categories === null || categories.includes(mcc ?? "");
}

/** What is approved, or why nothing is. */
export function toAnswer(model: Model, asked: Question): number | string {
  const { amount, allowPartial, available } = asked;
  const controls = toEffective(model);
  const listed = controls && findListed(controls, asked);
  if (listed) {
    return listed;
  }
  if (amount === 0) {
    return 0;
  }
  const room = toRoom(model, controls?.spending_limits ?? [], asked);
  const part = Math.min(room, available);
  if (amount <= part) {
    return amount;
  }
  if (allowPartial && part > 0) {
    return part;
  }
  return amount > room ? "limit_exceeded" : "insufficient_funds";
}

function findListed(controls: SpendingControls, { mcc, country }: Question): string | null {
  if (!passes(controls.allowed_categories, controls.blocked_categories, mcc)) {
    return "category_blocked";
  }
  return passes(controls.allowed_merchant_countries, controls.blocked_merchant_countries, country)
    ? null
    : "country_blocked";
}

function passes(allowed: string[] | null, blocked: string[] | null, code: string | null): boolean {
  if (allowed) {
    return code !== null && allowed.includes(code);
  }
  return !(blocked ?? []).includes(code ?? "");
}

/** What the limits leave. After an increment, the whole authorization counts in the increment's period. */
function toRoom(
  model: Model,
  limits: readonly SpendingLimit[],
  { mcc, of, now }: Question,
): number {
  const others = { ...model, rows: model.rows.filter((row) => row !== of) };
  const rooms = limits
    .filter((limit) => isFor(limit, mcc))
    .map((limit) => limit.amount - (toUsed(others, limit, now) ?? 0) - (of?.counted ?? 0));
  return Math.min(...rooms);
}

/** What a row no longer holds, it gives back. */
export function giveBack(row: Row, amount: number): void {
  row.open -= amount;
  row.counted -= amount;
}

/** A row that grows counts as a whole from then on. */
export function growAt(row: Row, amount: number, now: number): void {
  row.counted += amount;
  row.at = now;
}
