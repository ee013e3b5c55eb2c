import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";

export const getAccountVersion = operation({
  id: "getAccountVersion",
  method: "GET",
  path: "/card-integrators/me/version",
  summary: "Get a text that changes with the account's cards, money, and settings",
  description: "Compare it with an earlier one to find out whether a page is out of date.",
  kind: "read",
  scope: "account:read",
  staffOnly: true,
  logged: false,
  answer: z.strictObject({ version: z.string().describe("Text without a meaning of its own.") }),
  examples: [{ answer: { version: "118" } }],
});
