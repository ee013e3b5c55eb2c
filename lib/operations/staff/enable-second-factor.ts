import { z } from "zod";
import { text } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/operations/operation.ts";
import { self } from "#lib/operations/staff/parts.ts";

export const enableSecondFactor = operation({
  ...self,
  id: "enableSecondFactor",
  method: "POST",
  path: "/staff/me/second-factor/enable",
  summary:
    "Confirm two-factor authentication with a first code; returns recovery codes, shown only once",
  description: "Each recovery code works once, in place of a code from the app.",
  attempt: "enable two-factor authentication",
  secret: true,
  body: z.strictObject({ code: text(32).describe("A first code from the authenticator app.") }),
  answer: z.strictObject({
    recovery_codes: z.array(z.string()).describe("Ten codes, which are shown only here."),
  }),
  examples: [
    {
      needs: "authenticator app",
      body: { code: "123456" },
      answer: { recovery_codes: ["4f7k-9m2p-x8qd"] },
    },
  ],
});
