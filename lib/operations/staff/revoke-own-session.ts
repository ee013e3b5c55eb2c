import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { done, self } from "#lib/operations/staff/parts.ts";
import { DONE } from "#lib/operations/staff/samples.ts";

export const revokeOwnSession = operation({
  ...self,
  id: "revokeOwnSession",
  method: "DELETE",
  path: "/staff/me/sessions/{id}",
  summary: "Sign out of one of your sessions",
  description: "Its browser has to sign in again.",
  attempt: "sign out of one of their sessions",
  answer: done,
  notFound: "session_not_found",
  examples: [{ id: IDS.session, answer: DONE }],
});
