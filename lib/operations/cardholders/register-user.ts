import { z } from "zod";
import { email, optionalText, text } from "#lib/api/contract/fields.ts";
import { userSchema, ADDRESS, USER } from "#lib/api/contract/cardholder.ts";
import { PHOTO_MAX, address } from "#lib/operations/cardholders/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const registerUser = operation({
  id: "registerUser",
  method: "POST",
  path: "/card-integrators/{id}/register-user",
  summary: "Register a cardholder",
  description:
    "The id in the path is the account's own. Only the last four characters of id_number are stored.",
  attempt: "register a cardholder",
  kind: "write",
  scope: "cards:write",
  body: z.strictObject({
    address,
    email: email.describe("The cardholder's email, which no other cardholder of the account has."),
    first_name: text(),
    last_name: text(),
    id_number: text().describe(
      "The number of the identity document. Only its last four characters are stored.",
    ),
    id_type: text(),
    phone_number: text(),
    user_photo: optionalText(PHOTO_MAX),
  }),
  status: 201,
  answer: z.strictObject({ data: userSchema }),
  errors: ["user_already_exists"],
  notFound: "integrator_not_found",
  examples: [
    {
      id: IDS.integrator,
      body: {
        address: ADDRESS,
        email: "kofi@example.com",
        first_name: "Kofi",
        last_name: "Mensah",
        id_number: "A1234567",
        id_type: "passport",
        phone_number: "+233200000000",
      },
      answer: { data: USER },
    },
  ],
});
