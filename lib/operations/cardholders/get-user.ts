import { ONE_USER } from "#lib/operations/cardholders/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { USER } from "#lib/api/contract/cardholder.ts";

export const getUser = operation({
  id: "getUser",
  method: "GET",
  path: "/card-integrators/card-users/{id}",
  summary: "Get a cardholder",
  description: "A cardholder, archived or not.",
  kind: "read",
  tagged: true,
  scope: "cards:read",
  ...ONE_USER,
  examples: [{ id: IDS.user, answer: { data: USER } }],
});
