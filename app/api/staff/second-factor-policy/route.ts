import { requireSecondFactor as operation } from "#lib/operations/staff/require-second-factor.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { requireSecondFactor } from "#lib/staff/staff.ts";

export const PATCH = handleWrite(operation, async (ctx, { body: { required } }) => {
  await requireSecondFactor(ctx, required);
  return { body: { required } };
});
