import { enableSecondFactor as operation } from "#lib/api/contract/staff.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { enableSecondFactor } from "#lib/second-factor.ts";

export const POST = handleWrite(operation, async (ctx, { body }) => ({
  body: { recovery_codes: await enableSecondFactor(ctx, body.code) },
}));
