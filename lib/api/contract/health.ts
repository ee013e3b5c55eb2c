import { z } from "zod";
import { operation } from "#lib/api/contract/operation.ts";

export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/health/live",
  summary: "Check liveness: answers the text OK while the process runs",
  kind: "public",
  scope: null,
  answer: z.literal("OK"),
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/health/ready",
  summary: "Check readiness: the database answers and the server is not stopping",
  kind: "public",
  scope: null,
  answer: z.strictObject({
    status: z.literal("ready"),
    warnings: z
      .array(z.string())
      .describe(
        "Issues the operator should look at although the server is ready, one sentence each.",
      ),
  }),
  errors: ["database_unavailable"],
});

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  summary: "Get this API as an OpenAPI 3.1 document",
  kind: "public",
  tagged: true,
  cached: true,
  scope: null,
  answer: z.record(z.string(), z.unknown()),
});
