import { z } from "zod";
import { REGION } from "#lib/api/contract/glossary.ts";
import { id, time } from "#lib/api/contract/internal/answer-members.ts";
import { CREATED_AT, IDS, UPDATED_AT } from "#lib/api/contract/samples.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** A cardholder in answers. */

const addressSchema = z
  .strictObject({
    city: z.string(),
    country: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    state: z.string().nullable().describe(REGION),
    zip_code: z.string().nullable(),
  })
  .meta({ id: "Address" });

export const userSchema = z
  .strictObject({
    id,
    card_integrator_id: id.describe("The id of the account that registered the cardholder."),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string(),
    id_type: z.string(),
    id_last4: z
      .string()
      .describe("The last four characters of id_number, which is not stored otherwise."),
    address: addressSchema.describe("Where the cardholder lives."),
    user_photo: z.string().nullable(),
    verified: logSafe(z.boolean()).describe(
      "Whether their identity is verified. A sandbox verifies everyone at once.",
    ),
    archived: logSafe(z.boolean()).describe(
      "Whether they are archived, and so can get no new cards.",
    ),
    erasure: z
      .strictObject({
        status: logSafe(z.enum(["in_progress", "completed"])).describe(
          "in_progress: records that name them are still being erased. completed: nothing is left.",
        ),
        began_at: time.describe("When the erasure was requested."),
      })
      .nullable()
      .describe("How far the erasure of their personal data is; null unless it was requested."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "User" });

export const ADDRESS = {
  city: "Accra",
  country: "GH",
  line1: "2 Ring Road",
  line2: null,
  state: null,
  zip_code: "00233",
};

export const USER = {
  id: IDS.user,
  card_integrator_id: IDS.integrator,
  email: "kofi@example.com",
  first_name: "Kofi",
  last_name: "Mensah",
  phone_number: "+233200000000",
  id_type: "passport",
  id_last4: "4567",
  address: ADDRESS,
  user_photo: null,
  verified: true,
  archived: false,
  erasure: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

export const ERASED_USER = {
  ...USER,
  email: `${IDS.user}@erased.invalid`,
  first_name: "Erased",
  last_name: "cardholder",
  phone_number: "",
  id_type: "",
  id_last4: "",
  address: { city: "", country: "", line1: "", line2: null, state: null, zip_code: null },
  archived: true,
  erasure: { status: "in_progress", began_at: UPDATED_AT },
  updated_at: UPDATED_AT,
};
