import { operation } from "#lib/operations/operation.ts";
import { done, self } from "#lib/operations/staff/parts.ts";
import { DONE } from "#lib/operations/staff/samples.ts";

export const disableSecondFactor = operation({
  ...self,
  id: "disableSecondFactor",
  method: "DELETE",
  path: "/staff/me/second-factor",
  summary: "Remove your two-factor authentication",
  description: "The recovery codes stop working, too.",
  attempt: "disable two-factor authentication",
  fresh: true,
  answer: done,
  examples: [{ needs: "second factor", answer: DONE }],
});
