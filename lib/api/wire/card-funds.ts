import type { Caller } from "#lib/base/context.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import type { FundsMoved, FundsRequest } from "#lib/funds/funds.ts";

interface CardFundsBody {
  card_id: string;
  amount: number | "all";
  narrative: string | null;
}

/**
 * Converts a body that names a card to a move of funds, and the result to the card right after the
 * move.
 */
export function cardFunds(kind: "credit" | "debit") {
  return {
    toRequest: ({ body }: { body: CardFundsBody }): Omit<FundsRequest, keyof Caller> => ({
      kind,
      cardId: body.card_id,
      amount: body.amount,
      narrative: body.narrative,
    }),
    toReply: ({ card }: FundsMoved) => {
      if (!card) {
        throw new Error("Funds moved on a card, but the result does not contain the card.");
      }
      return { body: toCardResource(card) };
    },
  };
}
