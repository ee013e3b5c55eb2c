import { updateSettings as operation } from "#lib/operations/account/update-settings.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { parseSettings, toAccountResource } from "#lib/integrators/account-resource.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import type { Account } from "#lib/integrators/account-resource.ts";

export const PATCH = serve(operation, {
  update: (ctx, { body }) => updateSettings(ctx, parseSettings(body)),
  toBody: (account: Account) => ({ data: toAccountResource(account) }),
  settled: forgetCredentials,
});
