import { toCountryCode } from "#lib/base/country-code.ts";
import { toCountryName } from "#lib/base/countries.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { requireCardAccount } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { isIn, withLimitUses } from "#lib/cards/limit-uses.ts";
import { countsTogether, isFor, toCardControls, toResetsAt } from "#lib/cards/spending-controls.ts";
import type { SpendingControls, SpendingLimit } from "#lib/cards/spending-controls.ts";
import type { CardAccount, IntegratorAccounts } from "#lib/ledger/accounts.ts";
import type { Merchant } from "#lib/transactions/card-transaction-records.ts";
import { toCounted } from "#lib/transactions/counted.ts";
import type { CountedColumns } from "#lib/transactions/counted.ts";
import type {
  ControlledSpending,
  Listed,
  TightestLimit,
} from "#lib/transactions/controlled-spending.ts";
import { toCategory } from "#lib/transactions/merchant-category.ts";
import type { LimitUse, LimitUses } from "#db/schema/spending-controls.ts";

/** What a transaction asks of a card's controls. Amounts in minor units. */
export interface Controlled {
  amount: number;
  merchant: Merchant | null;
  /** What the authorization to increase already counts. Once increased, all of it counts in the increment's period. */
  own?: CountedColumns;
}

/**
 * How controls apply to a transaction of a card; null if neither the card nor its account has spending controls.
 * @param card with its limit uses as of now; `at`: when it was locked.
 */
export function toControlledSpending(
  integrator: IntegratorAccounts,
  { account, at }: { account: CardAccount; at: Date },
  asked: Controlled,
): ControlledSpending | null {
  const effective = toCardControls(account.spendingControls, integrator.spendingControls);
  const { spendingControls: controls, spendingControlsSource: source } = effective;
  if (!controls || source === "none") {
    return null;
  }
  const { timeZone } = integrator;
  const used = { uses: account.limitUses, now: toDeadlineTime(integrator, at) };
  return toControlled({ controls, source, timeZone }, used, asked);
}

/** How controls apply to a transaction, given what is used of their limits. */
export function toControlled(
  {
    controls,
    source,
    timeZone,
  }: Pick<ControlledSpending, "controls" | "source"> & { timeZone: string },
  used: Used,
  asked: Controlled,
): ControlledSpending {
  const limits = toLimits(controls, { ...asked, ...used });
  const [tightest] = limits.toSorted((one, other) => toRoom(one) - toRoom(other));
  return {
    controls,
    source,
    category: toListedCategory(asked.merchant),
    country: toListedCountry(asked.merchant),
    limit: tightest ? { ...tightest, timeZone } : null,
  };
}

/** Adds to a locked card what it has used of its limits in their current periods. */
export async function withCardUses({ tx }: WriteContext, card: LockedCard): Promise<LockedCard> {
  const { integrator, accounts } = await withLimitUses(tx, card);
  return { integrator, accounts, account: requireCardAccount(accounts, card.account.id) };
}

/** What a new row of a locked card counts from now on. */
export function toCountedNow(
  { integrator, accounts }: Pick<LockedCard, "integrator" | "accounts">,
  amount: number,
): CountedColumns {
  return toCounted(amount, toDeadlineTime(integrator, accounts.at));
}

/** How much of a limit would remain after a transaction, in minor units; negative if the transaction exceeds it. */
function toRoom({ left, needed }: Pick<TightestLimit, "left" | "needed">): number {
  return left - needed;
}

/** What is used of limits, as of a moment of the integrator's clock. */
interface Used {
  uses: LimitUses | null;
  now: Date;
}

type Asking = Controlled & Used;

/** The limits that apply to a transaction, in order. */
function toLimits(
  { spending_limits: limits }: SpendingControls,
  asking: Asking,
): Omit<TightestLimit, "timeZone">[] {
  const category = asking.merchant?.mcc ?? null;
  const kept = (asking.uses?.limits ?? []).values();
  return limits
    .map((limit) => ({ limit, use: countsTogether(limit) ? kept.next().value : undefined }))
    .filter(({ limit }) => isFor(limit, category))
    .map(({ limit, use }) => toLeft(limit, use, asking));
}

function toLeft(
  { amount, interval, categories }: SpendingLimit,
  use: LimitUse | undefined,
  { amount: asked, own, now }: Asking,
): Omit<TightestLimit, "timeZone"> {
  const counted = own?.counted ?? 0;
  const isOwn = use !== undefined && isIn(use, own?.countedAt ?? now);
  return {
    amount,
    interval,
    isForCategories: categories !== null,
    left: amount - (use?.used ?? 0) + (isOwn ? counted : 0),
    needed: counted + asked,
    resetsAt: toResetsAt(use),
  };
}

function toListedCategory(merchant: Merchant | null): Listed {
  const code = merchant?.mcc ?? null;
  return { code, toName: () => (code === null ? "" : toCategory(code)) };
}

/** Clearings and the simulator name a country by any of its codes. */
function toListedCountry(merchant: Merchant | null): Listed {
  const country = merchant?.country ?? null;
  const code = country === null ? null : toCountryCode(country);
  return { code, toName: () => (code === null ? "" : toCountryName(code)) };
}
