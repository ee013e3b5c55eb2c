import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  summary: "Get this API as an OpenAPI 3.1 document",
  description: "May be kept for a minute, and has an ETag.",
  kind: "public",
  tagged: true,
  cached: true,
  scope: null,
  answer: z.record(z.string(), z.unknown()),
  examples: [{ answer: { openapi: "3.1.0" } }],
});
