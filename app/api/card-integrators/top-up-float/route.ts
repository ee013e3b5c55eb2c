import { FUNDS } from "#lib/api/commit/procedures.ts";
import { topUpFloat as operation } from "#lib/operations/funds/top-up-float.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toFloatResource } from "#lib/funds/float-resource.ts";

export const PATCH = serve(operation, {
  decide: FUNDS,
  toRequest: ({ body }) => ({ kind: "top-up" as const, amount: body.amount }),
  toReply: ({ float }) => ({
    body: { message: "Balance updated successfully" as const, data: toFloatResource(float) },
  }),
});
