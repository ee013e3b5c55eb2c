import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";

/** What `idle_freeze_days` may be. */
export const IDLE_FREEZE_DAYS = { min: 7, max: 730 } as const;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When a card becomes idle; null if the integrator freezes no idle cards. `lastUsed` is by the integrator's clock. */
export function toIdleDue(
  { idleFreezeDays: days }: Pick<IntegratorAccounts, "idleFreezeDays">,
  lastUsed: Date,
): Date | null {
  return days === null ? null : new Date(lastUsed.getTime() + days * DAY_MS);
}

/** As `toIdleDue`, for a card that becomes active at a moment of real time. */
export function toIdleDueFrom(
  integrator: Pick<IntegratorAccounts, "idleFreezeDays" | "clockOffsetS">,
  at: Date,
): Date | null {
  return toIdleDue(integrator, toDeadlineTime(integrator, at));
}
