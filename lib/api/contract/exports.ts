import { z } from "zod";
import { cardFilter, floatEntryFilter, transactionFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { idSchema } from "#lib/api/contract/fields.ts";
import { STAFF_ID_PARAMETER } from "#lib/base/page-person.ts";

const IDS_MAX = 100;

/** Whose page the link is on: a link cannot send the header in which a session's other requests say so. */
const linked = {
  [STAFF_ID_PARAMETER]: idSchema
    .optional()
    .describe(
      "With a session cookie, the ID of the person whose page the link is on, where it cannot send `Staff-Id`.",
    ),
};

/** A CSV file; the contract does not describe its rows. */
const csv = z.string();

export const exportCards = operation({
  id: "exportCards",
  method: "GET",
  path: "/exports/cards",
  summary: "Export cards as CSV, newest first, streamed without a row limit",
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
        document: { type: "array", items: { type: "string", format: "uuid" }, maxItems: IDS_MAX },
      })
      .optional(),
  }),
  answer: csv,
});

export const exportFloatEntries = operation({
  id: "exportFloatEntries",
  method: "GET",
  path: "/exports/float-entries",
  summary: "Export the float's statement as CSV, newest first, streamed without a row limit",
  kind: "read",
  scope: "account:read",
  query: z.strictObject({ ...linked, ...floatEntryFilter }),
  answer: csv,
});

export const exportTransactions = operation({
  id: "exportTransactions",
  method: "GET",
  path: "/exports/transactions",
  summary: "Export transactions as CSV, newest first, streamed without a row limit",
  kind: "read",
  scope: "transactions:read",
  query: z.strictObject({ ...linked, ...transactionFilter }),
  answer: csv,
});
