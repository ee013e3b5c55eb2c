import { getCardStatement as operation } from "#lib/operations/cards/get-card-statement.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toStatementResource } from "#lib/statements/statement-resource.ts";
import { getStatement } from "#lib/statements/statement.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { id, query: { limit, cursor, ...period } }) => ({
    body: toStatementResource(await getStatement(ctx, { cardId: id, period, limit, cursor })),
  }),
});
