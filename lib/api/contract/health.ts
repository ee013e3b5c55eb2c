import { z } from "zod";
import { operation } from "#lib/api/contract/operation.ts";

export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/health/live",
  summary: "Whether the process answers: the text OK",
  kind: "public",
  scope: null,
  answer: z.literal("OK"),
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/health/ready",
  summary: "Whether the server takes requests: the database answers and it is not stopping",
  kind: "public",
  scope: null,
  answer: z.strictObject({
    status: z.literal("ready"),
    warnings: z
      .array(z.string())
      .describe(
        "What the operator should look at although the server takes requests, a sentence each.",
      ),
  }),
  errors: ["database_unavailable"],
});

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  summary: "This interface as an OpenAPI 3.1 document",
  kind: "public",
  scope: null,
  answer: z.record(z.string(), z.unknown()),
});
