import { z } from "zod";
import { accountSchema, ACCOUNT as SAMPLE } from "#lib/api/contract/account.ts";
import { operation } from "#lib/operations/operation.ts";

export const getAccount = operation({
  id: "getAccount",
  method: "GET",
  path: "/card-integrators/me",
  summary: "Get the account",
  description: "The account that the credential belongs to.",
  kind: "read",
  tagged: true,
  scope: "account:read",
  answer: z.strictObject({ data: accountSchema }),
  examples: [{ answer: { data: SAMPLE } }],
});
