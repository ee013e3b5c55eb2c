import { z } from "zod";
import { floatEntryFilter } from "#lib/api/contract/filters.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { toFile } from "#lib/operations/exports/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { CARD } from "#lib/api/contract/card.ts";
import { IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

export const exportFloatEntries = operation({
  id: "exportFloatEntries",
  method: "GET",
  path: "/exports/float-entries",
  summary: "Export the float's statement as CSV, newest first, without a row limit",
  description:
    "Amounts are in the major unit; funds into the float are positive. Times have the offset of the account's time_zone.",
  kind: "read",
  scope: "account:read",
  query: z.strictObject({ ...linked, ...floatEntryFilter }),
  answer: csv,
  examples: [
    {
      answer: toFile(
        "version,kind,amount,balance_after,currency,card_id,transfer_id,request_id,created_at,narrative",
        `2,card_credit,-20.00,9980.00,USD,${CARD.id},${IDS.transfer},${REQUEST_ID},${CARD.updated_at},`,
      ),
    },
  ],
});
