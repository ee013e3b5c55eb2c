import { getFloatStatement as operation } from "#lib/operations/funds/get-float-statement.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toStatementResource } from "#lib/statements/statement-resource.ts";
import { getStatement } from "#lib/statements/statement.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query: { limit, cursor, ...period } }) => ({
    body: toStatementResource(await getStatement(ctx, { cardId: null, period, limit, cursor })),
  }),
});
