import { ONE_USER } from "#lib/operations/cardholders/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { USER } from "#lib/api/contract/cardholder.ts";

export const unarchiveUser = operation({
  id: "unarchiveUser",
  method: "POST",
  path: "/card-integrators/card-users/{id}/unarchive",
  summary: "Unarchive a cardholder: they can get cards again",
  description: "The opposite of archiving.",
  attempt: "unarchive a cardholder",
  kind: "write",
  scope: "cards:write",
  errors: ["user_erased"],
  ...ONE_USER,
  examples: [{ needs: "archived cardholder", id: IDS.user, answer: { data: USER } }],
});
