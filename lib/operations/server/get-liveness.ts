import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";

export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/health/live",
  summary: "Check liveness: answers the text OK while the process runs",
  description: "For a supervisor that restarts a process that does not answer.",
  kind: "public",
  scope: null,
  answer: z.literal("OK"),
  examples: [{ answer: "OK" }],
});
