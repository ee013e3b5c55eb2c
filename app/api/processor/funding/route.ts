import { createFunding as operation } from "#lib/operations/processor/create-funding.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toFloatResource } from "#lib/funds/float-resource.ts";
import { fundFloat } from "#lib/processor/operations.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { body }) => {
    const { integrator_id: integratorId, amount } = body;
    const float = await fundFloat(ctx, { integratorId, amount });
    return {
      affected: { integratorId, transactionId: null },
      body: { data: toFloatResource(float) },
    };
  },
});
