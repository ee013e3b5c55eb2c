/** The properties of a cardholder that the rules below check. */
export interface CardholderCondition {
  archived: boolean;
  /** Whether any of their cards is not closed. */
  hasOpenCards: boolean;
}

/** Why an action is not allowed, as an API error code and a sentence for people. */
export interface CardholderDisabledReason {
  code: "user_archived" | "user_has_cards";
  detail: string;
}

const ARCHIVED: CardholderDisabledReason = {
  code: "user_archived",
  detail: "This cardholder is archived. Unarchive them first.",
};
const OPEN_CARDS: CardholderDisabledReason = {
  code: "user_has_cards",
  detail: "This cardholder has cards that are not closed. Close them first.",
};

type Rule<Part extends keyof CardholderCondition> = (
  cardholder: Pick<CardholderCondition, Part>,
) => CardholderDisabledReason | null;

/**
 * What a cardholder allows in their current condition: null when allowed, otherwise the disabled reason. The domain
 * refuses by these rules and the screens disable their buttons by them.
 */
export const cardholderCan: {
  createCard: Rule<"archived">;
  archive: Rule<"hasOpenCards">;
} = {
  createCard: ({ archived }) => (archived ? ARCHIVED : null),
  archive: ({ hasOpenCards }) => (hasOpenCards ? OPEN_CARDS : null),
};
