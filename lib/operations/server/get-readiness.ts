import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/health/ready",
  summary: "Check readiness: the database answers and the server is not stopping",
  description: "For a load balancer: send requests only to servers that answer 200.",
  kind: "public",
  scope: null,
  answer: z.strictObject({
    status: z.literal("ready").describe("Always ready: a server that is not answers 503."),
    release: z
      .string()
      .describe("The release that answers: its version, and the day and commit it was made from."),
    warnings: z
      .array(z.string())
      .describe(
        "Issues the operator should look at although the server is ready, one sentence each.",
      ),
  }),
  errors: ["database_unavailable"],
  examples: [{ answer: { status: "ready", release: "0.5.0+20261128.4fff6824", warnings: [] } }],
});
