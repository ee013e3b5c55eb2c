import type { Backtest } from "#lib/purchases/backtest.ts";

/** A backtest, as answers show it. */
export function toBacktestResource(tested: Backtest) {
  return {
    currency: tested.currency,
    from: tested.from.toISOString(),
    to: tested.to.toISOString(),
    complete: tested.isComplete,
    questions: tested.questions,
    declined: tested.declined,
    by_reason: tested.byReason,
    by_day: tested.byDay,
    by_card: tested.byCard.map(({ cardId, cardName, ...of }) => ({
      card_id: cardId,
      card_name: cardName,
      ...of,
    })),
    cards: tested.cards,
    first: tested.first.map(({ transactionId, cardId, merchantName, reason, amount, at }) => ({
      transaction_id: transactionId,
      card_id: cardId,
      merchant_name: merchantName,
      reason,
      amount,
      at: at.toISOString(),
    })),
  };
}
