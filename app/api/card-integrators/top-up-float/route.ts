import { topUpFloat as operation } from "#lib/api/contract/funds.ts";
import { handleFunds } from "#lib/api/handle.ts";
import { toFloatResource } from "#lib/api/resources.ts";

export const PATCH = handleFunds(
  operation,
  ({ body }) => ({ kind: "top-up", amount: body.amount }),
  ({ float }) => ({
    body: { message: "Balance updated successfully" as const, data: toFloatResource(float) },
  }),
);
