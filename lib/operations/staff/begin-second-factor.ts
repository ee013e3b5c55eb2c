import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { self } from "#lib/operations/staff/parts.ts";

export const beginSecondFactor = operation({
  ...self,
  id: "beginSecondFactor",
  method: "POST",
  path: "/staff/me/second-factor",
  summary: "Start setting up two-factor authentication: get the secret for an authenticator app",
  description: "It is off until a first code is confirmed.",
  attempt: "set up two-factor authentication",
  fresh: true,
  secret: true,
  status: 201,
  answer: z.strictObject({
    secret: z.string().describe("The secret for the app, in base 32, to type in."),
    uri: z.string().describe("The same as an otpauth URI, to show as a QR code."),
  }),
  errors: ["second_factor_exists"],
  examples: [
    {
      answer: {
        secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        uri: "otpauth://totp/Floatdeck:noor%40northwind.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Floatdeck",
      },
    },
  ],
});
