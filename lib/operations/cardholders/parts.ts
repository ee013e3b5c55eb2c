import { z } from "zod";
import { country, optionalText, text } from "#lib/api/contract/fields.ts";
import { REGION } from "#lib/api/contract/glossary.ts";
import { userSchema } from "#lib/api/contract/cardholder.ts";

export const PHOTO_MAX = 2_048;

export const address = z
  .strictObject({
    city: text(),
    country,
    line1: text(),
    line2: optionalText(),
    state: optionalText().describe(REGION),
    zip_code: optionalText(),
  })
  .describe("The cardholder's postal address, always as a whole.");

/** What all operations on one cardholder have in common. */
export const ONE_USER = {
  answer: z.strictObject({ data: userSchema }),
  notFound: "user_not_found",
} as const;
