import { backtestCards as operation } from "#lib/operations/cards/backtest-cards.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toBacktestResource } from "#lib/purchases/backtest-resource.ts";
import { backtest } from "#lib/purchases/backtest.ts";

export const POST = serve(operation, {
  reads: async (readOne, { body }) => {
    const { spending_controls: controls, card_id: cardId, days } = body;
    return {
      body: { data: toBacktestResource(await backtest(readOne, { controls, cardId, days })) },
    };
  },
});
