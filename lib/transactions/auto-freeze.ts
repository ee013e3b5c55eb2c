import { COUNTED_REASONS, toDeclineReasonName } from "#lib/transactions/decline-rules.ts";
import type { StoredAutoFreeze } from "#db/schema/integrators.ts";

/** The rule that freezes a card after repeated declines. */

/** The range of each member of the rule. */
export const AUTO_FREEZE_LIMITS = {
  declines: { min: 2, max: 100 },
  within_minutes: { min: 1, max: 1_440 },
} as const;

/** How many days a preview of the rule looks back. */
export const PREVIEW_DAYS = 30;

/** The parts of a decline that say whether it counts. */
export interface CountedDecline {
  declineReason: string | null;
  declineForced: boolean;
}

/** The reasons that a rule counts. */
export function toCountedReasons({ reasons }: StoredAutoFreeze): readonly string[] {
  return reasons ?? COUNTED_REASONS;
}

/** Whether a rule counts a decline. One that was forced in the sandbox never counts. */
export function isCounted(
  rule: StoredAutoFreeze,
  { declineReason, declineForced }: CountedDecline,
): boolean {
  return declineReason !== null && !declineForced && toCountedReasons(rule).includes(declineReason);
}

/**
 * Whether a decline completes the count: as many declines as the rule names, this one included, within its minutes.
 * @param earlier the counted declines of the card since it was last made active, oldest first, and `at`: in
 *   milliseconds by the integrator's clock.
 */
export function completesCount(
  { declines, within_minutes: minutes }: StoredAutoFreeze,
  earlier: readonly number[],
  at: number,
): boolean {
  const first = earlier.at(1 - declines);
  return first !== undefined && first >= at - minutes * 60_000;
}

const REASON_LIST = new Intl.ListFormat("en-US", { type: "disjunction" });

/** What completes the count: `3 declines for insufficient funds within 10 minutes`. */
export function toAutoFreezeText({
  declines,
  within_minutes: minutes,
  reasons,
}: StoredAutoFreeze): string {
  const names = reasons?.map((reason) => toDeclineReasonName(reason).toLowerCase());
  const why = names ? ` for ${REASON_LIST.format(names)}` : "";
  return `${declines} declines${why} within ${toSpan(minutes)}`;
}

/** `90 minutes`, `24 hours`. */
function toSpan(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
