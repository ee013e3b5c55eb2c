import { toCardResource } from "#lib/card-resource.ts";
import type { FundsAsked, FundsMoved } from "#lib/api/funds-perform.ts";

interface CardFundsBody {
  card_id: string;
  amount: number | "all";
  narrative: string | null;
}

/** What a body that names a card asks to be moved. */
export function toCardFunds(kind: "credit" | "debit") {
  return ({ body }: { body: CardFundsBody }): FundsAsked => ({
    kind,
    cardId: body.card_id,
    amount: body.amount,
    narrative: body.narrative,
  });
}

/** The card right after the move. */
export function toCardReply({ card }: FundsMoved) {
  if (!card) {
    throw new Error("Funds moved on a card, and the card is missing from the result.");
  }
  return { body: toCardResource(card) };
}
