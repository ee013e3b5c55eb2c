import { updateSettings as operation } from "#lib/operations/account/update-settings.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAccountResource } from "#lib/integrators/account-resource.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import type { Account } from "#lib/integrators/integrators.ts";

export const PATCH = serve(operation, {
  update: (ctx, { body }) =>
    updateSettings(ctx, {
      lowBalanceThreshold: body.low_balance_threshold,
      apiVersion: body.api_version,
      idempotencyRequired: body.idempotency_required,
      freezeReasonRequired: body.freeze_reason_required,
      logBodies: body.log_bodies,
      programName: body.program_name,
      cardColor: body.card_color,
      timeZone: body.time_zone,
      contactNumber: body.contact_number,
      country: body.country,
      registrationNumber: body.registration_number,
    }),
  toBody: (account: Account) => ({ data: toAccountResource(account) }),
  settled: forgetCredentials,
});
