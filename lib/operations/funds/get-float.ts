import { floatSchema, FLOAT } from "#lib/api/contract/float.ts";
import { operation } from "#lib/operations/operation.ts";

export const getFloat = operation({
  id: "getFloat",
  method: "GET",
  path: "/card-integrators/float",
  summary: "Get the float",
  description: "The balance that credits come from.",
  kind: "read",
  tagged: true,
  scope: "account:read",
  answer: floatSchema,
  examples: [{ answer: FLOAT }],
});
