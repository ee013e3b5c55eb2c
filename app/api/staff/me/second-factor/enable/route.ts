import { enableSecondFactor as operation } from "#lib/operations/staff/enable-second-factor.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { enableSecondFactor } from "#lib/staff/second-factor.ts";

export const POST = handleWrite(operation, async (ctx, { body }) => ({
  body: { recovery_codes: await enableSecondFactor(ctx, body.code) },
}));
