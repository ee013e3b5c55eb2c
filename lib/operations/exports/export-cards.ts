import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { cardFilter } from "#lib/api/contract/filters.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { toFile } from "#lib/operations/exports/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { CARD } from "#lib/api/contract/card.ts";

const IDS_MAX = 100;

export const exportCards = operation({
  id: "exportCards",
  method: "GET",
  path: "/exports/cards",
  summary: "Export cards as CSV, newest first, without a row limit",
  description:
    "Amounts are in the major unit, as spreadsheets expect them. Times have the offset of the account's time_zone.",
  kind: "read",
  scope: "cards:read",
  query: z.strictObject({
    ...linked,
    ...cardFilter,
    ids: z
      .string()
      .transform((list) => list.split(","))
      .pipe(z.array(idSchema).max(IDS_MAX, `This field may name at most ${IDS_MAX} cards.`))
      .meta({
        document: {
          type: "array",
          items: { type: "string", format: "uuid" },
          minItems: 1,
          maxItems: IDS_MAX,
        },
      })
      .optional()
      .describe("Only the cards with these ids, separated by commas."),
  }),
  answer: csv,
  examples: [
    {
      query: { status: "active" },
      answer: toFile(
        "id,name,last4,status,currency,balance,held,available,single_use,expires_at,created_at,frozen_at,freeze_reason,user_id,freeze_levels,freeze_until,cover_outstanding,spending_controls_source,spending_limits,allowed_categories,blocked_categories,allowed_merchant_countries,blocked_merchant_countries",
        `${CARD.id},${CARD.card_name},"=""${CARD.last4}""",active,USD,20.00,0.00,20.00,false,${CARD.expiry},${CARD.created_at},,,${CARD.user_id},,,0.00,none,,,,,`,
      ),
    },
  ],
});
