import { operation } from "#lib/operations/operation.ts";
import { done, self } from "#lib/operations/staff/parts.ts";
import { DONE } from "#lib/operations/staff/samples.ts";

export const revokeOtherSessions = operation({
  ...self,
  id: "revokeOtherSessions",
  method: "DELETE",
  path: "/staff/me/sessions",
  summary: "Sign out of all your other sessions",
  description: "The session that asks for it stays.",
  attempt: "sign out of their other sessions",
  answer: done,
  examples: [{ answer: DONE }],
});
