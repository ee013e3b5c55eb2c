import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { floatEntryFilter } from "#lib/api/contract/filters.ts";
import { floatEntrySchema } from "#lib/api/contract/float-entry.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { operation } from "#lib/operations/operation.ts";
import { FLOAT } from "#lib/api/contract/float.ts";
import { IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

export const listFloatEntries = operation({
  id: "listFloatEntries",
  method: "GET",
  path: "/card-integrators/float/entries",
  summary: "List the float's statement, newest first",
  description: "Every movement into and out of the float, with the balance after it.",
  kind: "read",
  scope: "account:read",
  query: z.strictObject({ ...floatEntryFilter, limit, cursor: cursor.optional() }),
  answer: pageOf(floatEntrySchema),
  examples: [
    {
      query: { kind: "card_credit", limit: "15" },
      answer: {
        data: [
          {
            transfer_id: IDS.transfer,
            kind: "card_credit",
            amount: -2_000,
            currency: "USD",
            balance_after: 998_000,
            version: 2,
            card_id: IDS.card,
            narrative: null,
            request_id: REQUEST_ID,
            created_at: FLOAT.updated_at,
          },
        ],
        next_cursor: null,
      },
    },
  ],
});
