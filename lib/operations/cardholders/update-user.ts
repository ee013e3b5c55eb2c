import { z } from "zod";
import { email, requireOne, text } from "#lib/api/contract/fields.ts";
import { ONE_USER, PHOTO_MAX, address } from "#lib/operations/cardholders/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { USER } from "#lib/api/contract/cardholder.ts";

export const updateUser = operation({
  id: "updateUser",
  method: "PATCH",
  path: "/card-integrators/card-users/{id}",
  summary: "Change a cardholder's name, contact details, or photo",
  description:
    "Members that the request omits keep their values; an address is replaced as a whole. Cards keep the name that they were issued with.",
  attempt: "update a cardholder",
  kind: "write",
  tagged: true,
  scope: "cards:write",
  body: z
    .strictObject({
      // Always as a whole: a new street must not keep the old apartment.
      address: address.optional(),
      email: email.optional(),
      first_name: text().optional(),
      last_name: text().optional(),
      phone_number: text().optional(),
      user_photo: z
        .string()
        .trim()
        .max(PHOTO_MAX, `This field must be at most ${PHOTO_MAX} characters long.`)
        .nullable()
        .transform((given) => given || null)
        .optional(),
    })
    .check((context) =>
      requireOne(
        context.value,
        ["address", "email", "first_name", "last_name", "phone_number", "user_photo"],
        context,
      ),
    )
    .meta({ minProperties: 1 }),
  errors: ["user_already_exists", "user_erased"],
  ...ONE_USER,
  examples: [
    {
      id: IDS.user,
      body: { phone_number: "+233200000001" },
      answer: { data: { ...USER, phone_number: "+233200000001" } },
    },
  ],
});
