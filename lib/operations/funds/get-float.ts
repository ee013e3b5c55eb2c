import { floatSchema } from "#lib/api/contract/float-resources.ts";
import { operation } from "#lib/operations/operation.ts";
import { FLOAT } from "#lib/api/contract/samples.ts";

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
