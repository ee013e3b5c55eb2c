/** The properties of a cardholder that the rules below check. */
export interface CardholderCondition {
  archived: boolean;
  /** When their erasure began; null for anyone who is not erased. */
  erasedAt: Date | null;
  /** Whether any of their cards is not closed. */
  hasOpenCards: boolean;
}

/** Why an action is not allowed, as an API error code and a sentence for people. */
export interface CardholderDisabledReason {
  code: "user_archived" | "user_erased" | "user_has_cards";
  detail: string;
}

const ARCHIVED: CardholderDisabledReason = {
  code: "user_archived",
  detail: "This cardholder is archived. Unarchive them first.",
};
const ERASED: CardholderDisabledReason = {
  code: "user_erased",
  detail: "This cardholder was erased, for good.",
};
const OPEN_CARDS: CardholderDisabledReason = {
  code: "user_has_cards",
  detail: "This cardholder has cards that are not closed. Close them first.",
};

/**
 * Each erasure goes through all records twice. The second pass starts when nothing that began before the erasure can
 * still be running.
 */
export const ERASURE_PASSES = 2;

/** Whether a cardholder's erasure is complete. */
export function isErased({ erasurePasses }: { erasurePasses: number }): boolean {
  return erasurePasses === ERASURE_PASSES;
}

type Rule<Part extends keyof CardholderCondition> = (
  cardholder: Pick<CardholderCondition, Part>,
) => CardholderDisabledReason | null;

const notErased: Rule<"erasedAt"> = ({ erasedAt }) => (erasedAt ? ERASED : null);
const noOpenCards: Rule<"hasOpenCards"> = ({ hasOpenCards }) => (hasOpenCards ? OPEN_CARDS : null);

/**
 * What a cardholder allows in their current condition: null when allowed, otherwise the disabled reason. The domain
 * refuses by these rules and the screens disable their buttons by them.
 */
export const cardholderCan: {
  /** Change them, their cards' metadata, or whether they are archived. */
  change: Rule<"erasedAt">;
  createCard: Rule<"archived" | "erasedAt">;
  archive: Rule<"hasOpenCards">;
  erase: Rule<"erasedAt" | "hasOpenCards">;
} = {
  change: notErased,
  createCard: (cardholder) => notErased(cardholder) ?? (cardholder.archived ? ARCHIVED : null),
  archive: noOpenCards,
  erase: (cardholder) => notErased(cardholder) ?? noOpenCards(cardholder),
};
