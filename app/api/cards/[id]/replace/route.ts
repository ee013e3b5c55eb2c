import { replaceCard as operation } from "#lib/operations/cards/replace-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { requireScope } from "#lib/base/require-scope.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { toLiftable } from "#lib/cards/freeze-rights.ts";
import { replaceCard } from "#lib/funds/replace-card.ts";

export const POST = serve(operation, {
  prepare: ({ actor }, { body }) => {
    if (body.move_balance) {
      requireScope(actor, "funds:write");
    }
    return toLiftable(actor);
  },
  change: async (ctx, { id, body: { move_balance: moveBalance, comment } }, mayLift) => {
    const card = await replaceCard(ctx, id, { moveBalance, comment, mayLift });
    return { body: { data: toCardResource(card) } };
  },
});
