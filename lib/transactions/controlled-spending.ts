import { formatMoney } from "#lib/base/money.ts";
import { toTimeZoneName } from "#lib/base/time-zone.ts";
import { INTERVAL_NAMES, permits } from "#lib/cards/spending-controls.ts";
import type { LimitInterval, SpendingControls } from "#lib/cards/spending-controls.ts";

/** What a card's spending controls say of a transaction, for the rules that decline it. */

/** Something that lists of codes allow or block. */
export interface Listed {
  /** Null if it is unknown: no list has it. */
  code: string | null;
  /** In words for people; found only for a decline. */
  toName: () => string;
}

/** The spending limit that leaves least for a transaction. Amounts in minor units. */
export interface TightestLimit {
  amount: number;
  interval: LimitInterval;
  /** Whether it is only for some categories. */
  isForCategories: boolean;
  left: number;
  /** How much of it the transaction needs: for an increment, the authorization as a whole. */
  needed: number;
  /** When it resets; null for never. */
  resetsAt: Date | null;
  timeZone: string;
}

/** What the controls of a card say of a transaction. */
export interface ControlledSpending {
  controls: SpendingControls;
  /** Whose they are. */
  source: "card" | "account";
  category: Listed;
  country: Listed;
  /** Null if no limit applies to it. */
  limit: TightestLimit | null;
}

type What = "category" | "country";

const WORDS: Readonly<Record<What, string>> = { category: "categories", country: "countries" };

const LISTS = {
  category: ({ controls }: ControlledSpending) => ({
    allowed: controls.allowed_categories,
    blocked: controls.blocked_categories,
  }),
  country: ({ controls }: ControlledSpending) => ({
    allowed: controls.allowed_merchant_countries,
    blocked: controls.blocked_merchant_countries,
  }),
};

/** Whether the lists of controls, if there are any, permit the transaction. */
export function isPermitted(controlled: ControlledSpending | null, what: What): boolean {
  return controlled === null || permits(LISTS[what](controlled), controlled[what].code);
}

/** Whether the transaction needs more than a limit leaves. */
export function isExceeded(controlled: ControlledSpending | null): boolean {
  const limit = controlled?.limit;
  return limit !== null && limit !== undefined && limit.needed > limit.left;
}

/** Explains why the lists do not permit a transaction, and how to allow it, in a sentence each. */
export function explainList(controlled: ControlledSpending | null, what: What): string {
  if (!controlled) {
    return "";
  }
  const { code, toName } = controlled[what];
  const { allowed } = LISTS[what](controlled);
  const remedy = `To allow it, change the spending controls of the ${controlled.source}.`;
  if (code === null) {
    return `The merchant's ${what} is unknown, and only listed ${WORDS[what]} are allowed. ${remedy}`;
  }
  return allowed === null
    ? `The ${what} ${toName()} is blocked. ${remedy}`
    : `The ${what} ${toName()} is not among those allowed. ${remedy}`;
}

/** Explains why a transaction exceeds a limit, and how to allow it, in a sentence each. */
export function explainLimit(controlled: ControlledSpending | null, currency: string): string {
  const limit = controlled?.limit;
  if (!limit) {
    return "";
  }
  const money = (amount: number) => formatMoney(Math.max(0, amount), currency);
  const { amount, interval, isForCategories, left, needed, resetsAt, timeZone } = limit;
  const name = `The ${INTERVAL_NAMES[interval]} limit of ${money(amount)}${isForCategories ? " for this category" : ""}`;
  const raise = `raise it in the spending controls of the ${controlled.source}`;
  if (interval === "per_authorization") {
    return `${name} is less than the ${money(needed)} that this needs. To allow it, ${raise}.`;
  }
  return resetsAt === null
    ? `${name} has ${money(left)} left, and this needs ${money(needed)}. To allow it, ${raise}.`
    : `${name} has ${money(left)} left until ${formatReset(resetsAt, timeZone)}, and this needs ${money(needed)}. Wait until then, or ${raise}.`;
}

/** `December 1, 00:00 (Europe/Berlin)`. */
function formatReset(at: Date, timeZone: string): string {
  const day = at.toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone });
  const time = at.toLocaleTimeString("en-US", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  return `${day}, ${time} (${toTimeZoneName(timeZone)})`;
}
