import type { Entries } from "#lib/api/reference/entry.ts";
import { IDS } from "#lib/api/reference/samples.ts";

const PASSWORD = "a long enough password";
const DONE = { message: "Ok" };

/** What people do for themselves. */
export const STAFF_SELF: Entries = {
  confirmSelf: {
    description: "Counts for five minutes. code is for people with two-factor authentication.",
    example: { body: { password: PASSWORD }, answer: DONE },
  },
  changePassword: {
    description: "The session that asks for it stays.",
    example: {
      body: { current_password: PASSWORD, new_password: "an even longer password" },
      answer: DONE,
    },
  },
  revokeOtherSessions: {
    description: "The session that asks for it stays.",
    example: { answer: DONE },
  },
  revokeOwnSession: {
    description: "Its browser has to sign in again.",
    example: { id: IDS.session, answer: DONE },
  },
  beginSecondFactor: {
    description: "It is off until a first code is confirmed.",
    example: {
      answer: {
        secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        uri: "otpauth://totp/Floatdeck:noor%40northwind.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Floatdeck",
      },
    },
  },
  enableSecondFactor: {
    description: "Each recovery code works once, in place of a code from the app.",
    example: { body: { code: "123456" }, answer: { recovery_codes: ["4f7k-9m2p-x8qd"] } },
  },
  disableSecondFactor: {
    description: "The recovery codes stop working, too.",
    example: { answer: DONE },
  },
};
