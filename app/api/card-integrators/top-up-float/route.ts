import { FUNDS } from "#lib/api/replay/batched-acts.ts";
import { topUpFloat as operation } from "#lib/operations/funds/top-up-float.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";
import { toFloatResource } from "#lib/api/wire/resources.ts";

export const PATCH = handleBatched(operation, FUNDS, {
  toRequest: ({ body }) => ({ kind: "top-up" as const, amount: body.amount }),
  toReply: ({ float }) => ({
    body: { message: "Balance updated successfully" as const, data: toFloatResource(float) },
  }),
});
