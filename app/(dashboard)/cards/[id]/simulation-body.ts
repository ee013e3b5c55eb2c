import type { Draft, Earlier, SimulationBody, SimulationKind } from "./acts.ts";
import { SAMPLE_PURCHASES } from "#lib/transactions/sample-purchases.ts";

/** Whether the simulation refers to an earlier transaction. */
export function isFollowing(kind: SimulationKind): boolean {
  return kind !== "posting" && kind !== "advice" && !mayDecline(kind);
}

/** Whether it is a request of its own, which the card's rules may decline. */
export function mayDecline(kind: SimulationKind): boolean {
  return kind === "deduct" || kind === "authorize" || kind === "verification";
}

/** Whether it refers to a settled purchase. */
export function isOfPurchase(kind: SimulationKind): boolean {
  return kind === "refund" || kind === "take-back";
}

/** Whether it has a narrative and a merchant of its own. */
export function isDescribed(kind: SimulationKind): boolean {
  return !isFollowing(kind) || kind === "refund";
}

/**
 * Whether it takes an amount. An expiry and a reversal of a settled transaction always cover everything, and a
 * verification has no amount.
 */
export function takesAmount(kind: SimulationKind): boolean {
  return kind !== "expire" && kind !== "verification" && kind !== "take-back";
}

/** Whether its amount is required, because there is no default. */
export function requiresAmount(kind: SimulationKind): boolean {
  return !isFollowing(kind) || kind === "increment";
}

/**
 * The narrative after another merchant is chosen. A suggested merchant brings its own narrative, unless the person
 * has written one.
 */
export function toNarrative({ narrative }: Draft, merchant: string): string {
  const isOwn = narrative !== "" && SAMPLE_PURCHASES.every((each) => each.narrative !== narrative);
  return isOwn ? narrative : (findSample(merchant)?.narrative ?? narrative);
}

/** The body for the API. A narrative is sent as typed. */
export function toSimulationBody(
  draft: Draft,
  amount: number | null,
  of: string | undefined,
): SimulationBody {
  const { kind, merchant, narrative } = draft;
  const described = isDescribed(kind);
  return {
    type: kind,
    ...(amount === null || !takesAmount(kind) ? {} : { amount }),
    ...(isFollowing(kind) && of !== undefined ? { transaction_id: of } : {}),
    ...(mayDecline(kind) ? toOutcome(draft, amount) : {}),
    narrative: described && narrative !== "" ? narrative : null,
    merchant: described ? toMerchant(merchant) : null,
  };
}

/** The forced decision, if the card's rules do not decide alone. */
function toOutcome({ kind, declineWith, allowPartial, earlier }: Draft, amount: number | null) {
  return {
    ...(declineWith === null ? {} : { decline_with: declineWith }),
    ...(kind === "authorize" && allowPartial ? { allow_partial: true } : {}),
    ...(kind === "authorize" && earlier !== null ? { earlier: [toEarlier(earlier, amount)] } : {}),
  };
}

/** A capture in full, or the reversal of everything. */
function toEarlier(type: Earlier, amount: number | null) {
  return type === "capture" ? { type, amount: amount ?? 0 } : { type };
}

function toMerchant(name: string): SimulationBody["merchant"] {
  return findSample(name)?.merchant ?? (name.trim() === "" ? null : { name: name.trim() });
}

/** The sample purchase at a merchant of this name. */
function findSample(merchant: string) {
  return SAMPLE_PURCHASES.find(({ merchant: { name } }) => name === merchant.trim());
}
