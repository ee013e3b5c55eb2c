import { beginSecondFactor as beginOperation } from "#lib/operations/staff/begin-second-factor.ts";
import { disableSecondFactor as disableOperation } from "#lib/operations/staff/disable-second-factor.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { beginSecondFactor, disableSecondFactor } from "#lib/staff/second-factor.ts";

export const POST = handleWrite(beginOperation, async (ctx) => ({
  body: await beginSecondFactor(ctx),
}));

export const DELETE = handleWrite(disableOperation, async (ctx) => {
  await disableSecondFactor(ctx);
  return { body: { message: "Ok" } };
});
