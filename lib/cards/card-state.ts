import { FREEZE_LEVELS, FREEZE_REASONS } from "#db/schema/freeze-reasons.ts";

/** A card's states. `closed` is final. */
export const CARD_STATUSES = ["active", "frozen", "closed"] as const;

export type CardStatus = (typeof CARD_STATUSES)[number];

/** The order of a list of cards. */
export const CARD_ORDERS = ["newest", "oldest"] as const;

export type CardOrder = (typeof CARD_ORDERS)[number];

/** The levels of freezes, which decide who may lift them, and the reasons for them, as the database lists both. */
export { FREEZE_LEVELS, FREEZE_REASONS };

export type FreezeLevel = (typeof FREEZE_LEVELS)[number];

/** The levels in words for people. */
export const FREEZE_LEVEL_NAMES: Readonly<Record<FreezeLevel, string>> = {
  cardholder: "Cardholder",
  staff: "Staff",
  compliance: "Compliance",
};

/** The name of a level as used in a sentence; any other value as text. */
export function toLevelName(level: unknown): string {
  const known = FREEZE_LEVELS.find((each) => each === level);
  return known ? FREEZE_LEVEL_NAMES[known].toLowerCase() : String(level);
}

/** How far ahead a freeze may end, in days. */
export const FREEZE_DAYS_MAX = 400;

export type FreezeReason = (typeof FREEZE_REASONS)[number];

/** The reasons in words for people. */
export const FREEZE_REASON_NAMES: Readonly<Record<FreezeReason, string>> = {
  cardholder_request: "Requested by cardholder",
  lost: "Lost",
  stolen: "Stolen",
  suspected_fraud: "Suspected fraud",
  too_many_declines: "Too many declines",
  compromised: "Compromised",
  inactivity: "Inactivity",
  internal_review: "Internal review",
  compliance: "Compliance",
  other: "Other",
};

/** How grave each reason is. The gravest of a freeze's reasons is the one that counts. */
const SEVERITIES: Readonly<Record<FreezeReason, number>> = {
  inactivity: 1,
  cardholder_request: 2,
  other: 3,
  internal_review: 4,
  too_many_declines: 5,
  lost: 6,
  stolen: 7,
  suspected_fraud: 8,
  compromised: 9,
  compliance: 10,
};

/** The reasons from the mildest to the gravest. */
export const REASONS_BY_SEVERITY = FREEZE_REASONS.toSorted((a, b) => SEVERITIES[a] - SEVERITIES[b]);

/** Whether a reason is graver than another one. Every reason is graver than none. */
export function isGraver(reason: FreezeReason, than: FreezeReason | null): boolean {
  return than === null || SEVERITIES[reason] > SEVERITIES[than];
}

/** Whether a reason protects a card against misuse. Check each card before you lift such a freeze. */
export function isProtective(reason: FreezeReason | null): boolean {
  return reason !== null && SEVERITIES[reason] >= SEVERITIES.too_many_declines;
}

/** The properties of a card that the rules below check. */
export interface CardCondition {
  status: CardStatus;
  expired: boolean;
}

/** Why an action is not allowed, as an API error code and a sentence for people. */
export interface DisabledReason {
  code: "card_closed" | "card_expired";
  detail: string;
}

const CLOSED: DisabledReason = {
  code: "card_closed",
  detail: "This card is closed. Closing a card is final.",
};
const EXPIRED: DisabledReason = {
  code: "card_expired",
  detail: "This card has expired and can no longer be credited. Create a new card instead.",
};

/** A rule and the properties of a card that it checks. */
type Rule<Part extends keyof CardCondition> = (
  card: Pick<CardCondition, Part>,
) => DisabledReason | null;

const notClosed: Rule<"status"> = (card) => (card.status === "closed" ? CLOSED : null);

/**
 * What a card allows in its current condition: null when allowed, otherwise the disabled reason. The domain refuses by
 * these rules and the screens disable their buttons by them, so both always agree.
 */
export const cardCan: {
  freeze: Rule<"status">;
  unfreeze: Rule<"status">;
  debit: Rule<"status">;
  credit: Rule<"status" | "expired">;
  close: Rule<"status">;
  limit: Rule<"status">;
} = {
  freeze: notClosed,
  unfreeze: notClosed,
  debit: notClosed,
  credit: (card) => notClosed(card) ?? (card.expired ? EXPIRED : null),
  close: notClosed,
  limit: notClosed,
};
