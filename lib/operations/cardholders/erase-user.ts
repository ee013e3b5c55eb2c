import { ONE_USER } from "#lib/operations/cardholders/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { ERASED_USER } from "#lib/api/contract/cardholder.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const eraseUser = operation({
  id: "eraseUser",
  method: "POST",
  path: "/card-integrators/card-users/{id}/erase",
  summary: "Erase the personal data of a cardholder whose cards are all closed, for good",
  description:
    "The answer is 202: the cardholder's record is erased at once, and all else that names them within minutes; `erasure` says how far it is. Names, contact details, metadata, comments, notes, and narratives go from every answer, event, and log. Money, history, and ids stay. A repeat of a request whose saved answer held personal data is answered with `response_erased`. Repeating this request changes nothing. Staff must be owners with a recent sign-in.",
  attempt: "erase a cardholder",
  kind: "write",
  scope: "cardholders:erase",
  fresh: true,
  status: 202,
  errors: ["user_has_cards"],
  ...ONE_USER,
  examples: [{ id: IDS.user, answer: { data: ERASED_USER } }],
});
