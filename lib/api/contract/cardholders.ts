import { z } from "zod";
import { email, limit, optionalText, page, requireOne, text } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { userSchema } from "#lib/api/contract/resources.ts";
import { logSafe } from "#lib/base/log-safe.ts";

const PHOTO_MAX = 2_048;

const address = z.strictObject({
  city: text(),
  country: text(),
  line1: text(),
  line2: optionalText(),
  state: optionalText(),
  zip_code: optionalText(),
});

export const registerUser = operation({
  id: "registerUser",
  method: "POST",
  path: "/card-integrators/{id}/register-user",
  summary: "Register a cardholder",
  kind: "write",
  scope: "cards:write",
  body: z.strictObject({
    address,
    email,
    first_name: text(),
    last_name: text(),
    id_number: text(),
    id_type: text(),
    phone_number: text(),
    user_photo: optionalText(PHOTO_MAX),
  }),
  status: 201,
  answer: z.strictObject({ data: userSchema }),
  errors: ["user_already_exists"],
  notFound: "integrator_not_found",
});

export const listUsers = operation({
  id: "listUsers",
  method: "GET",
  path: "/card-integrators/card-users",
  summary: "List cardholders, newest first",
  kind: "read",
  scope: "cards:read",
  query: z.strictObject({
    limit,
    page,
    search: text().optional().describe("Part of a name or of an email."),
    email: email.optional().describe("A whole email, in any case."),
    archived: z
      .enum(["true", "false"])
      .transform((given) => given === "true")
      .optional(),
  }),
  answer: z.strictObject({
    data: z.array(userSchema),
    page: logSafe(z.int()),
    total: logSafe(z.int()),
    total_pages: logSafe(z.int()),
  }),
});

/** What all operations on one cardholder have in common. */
const ONE_USER = {
  answer: z.strictObject({ data: userSchema }),
  notFound: "user_not_found",
} as const;

export const getUser = operation({
  id: "getUser",
  method: "GET",
  path: "/card-integrators/card-users/{id}",
  summary: "Get a cardholder",
  kind: "read",
  scope: "cards:read",
  ...ONE_USER,
});

export const updateUser = operation({
  id: "updateUser",
  method: "PATCH",
  path: "/card-integrators/card-users/{id}",
  summary: "Change a cardholder's name, contact details, or photo",
  kind: "write",
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
  errors: ["user_already_exists"],
  ...ONE_USER,
});

export const archiveUser = operation({
  id: "archiveUser",
  method: "POST",
  path: "/card-integrators/card-users/{id}/archive",
  summary: "Archive a cardholder whose cards are all closed: they can get no new cards",
  kind: "write",
  scope: "cards:write",
  errors: ["user_has_cards"],
  ...ONE_USER,
});

export const unarchiveUser = operation({
  id: "unarchiveUser",
  method: "POST",
  path: "/card-integrators/card-users/{id}/unarchive",
  summary: "Unarchive a cardholder: they can get cards again",
  kind: "write",
  scope: "cards:write",
  ...ONE_USER,
});
