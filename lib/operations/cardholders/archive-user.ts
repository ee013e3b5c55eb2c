import { ONE_USER } from "#lib/operations/cardholders/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { USER } from "#lib/api/contract/cardholder.ts";

export const archiveUser = operation({
  id: "archiveUser",
  method: "POST",
  path: "/card-integrators/card-users/{id}/archive",
  summary: "Archive a cardholder whose cards are all closed: they can get no new cards",
  description: "The cardholder keeps their history and their email.",
  attempt: "archive a cardholder",
  kind: "write",
  scope: "cards:write",
  errors: ["user_has_cards"],
  ...ONE_USER,
  examples: [{ id: IDS.user, answer: { data: { ...USER, archived: true } } }],
});
