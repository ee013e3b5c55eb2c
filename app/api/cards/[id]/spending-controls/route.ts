import { updateCardSpendingControls as operation } from "#lib/operations/cards/update-card-spending-controls.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { updateSpendingControls } from "#lib/cards/spending-update.ts";

export const PATCH = serve(operation, {
  update: (ctx, { id, body }) => updateSpendingControls(ctx, id, body.spending_controls),
  toBody: toCardResource,
});
