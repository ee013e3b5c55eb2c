import { createVirtualCard as operation } from "#lib/api/contract/cards.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { createVirtualCard } from "#lib/card-issue.ts";
import { toCardResource } from "#lib/card-resource.ts";
import { requireOwnAccount } from "#lib/integrators.ts";

export const POST = handleWrite(operation, async (ctx, { body }) => {
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
});
