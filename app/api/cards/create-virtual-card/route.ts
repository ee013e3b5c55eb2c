import { createVirtualCard as operation } from "#lib/operations/cards/create-virtual-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { createVirtualCard } from "#lib/cards/card-issue.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { requireOwnAccount } from "#lib/integrators/integrators.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => {
    requireOwnAccount(ctx, body.card_integrator_id);
    const card = await createVirtualCard(ctx, {
      cardholderId: body.user_id,
      currency: body.currency,
      designType: body.design_type,
      singleUse: body.single_use,
      validityDays: body.validity,
      metadata: body.metadata ?? {},
    });
    return { body: { data: toCardResource(card) } };
  },
});
