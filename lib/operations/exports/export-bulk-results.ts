import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { bulkResultFilter } from "#lib/operations/bulk/parts.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { toFile } from "#lib/operations/exports/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const exportBulkResults = operation({
  id: "exportBulkResults",
  method: "GET",
  path: "/exports/bulk-results/{id}",
  summary: "Export what became of each card of a bulk job as CSV",
  description:
    "In the order of its items. Amounts are in the major unit. The file of a credit's refused cards, corrected, is a file for the next credit.",
  kind: "read",
  scope: "cards:read",
  notFound: "bulk_job_not_found",
  query: z.strictObject({ ...linked, ...bulkResultFilter }),
  answer: csv,
  examples: [
    {
      id: IDS.bulkJob,
      query: { state: "done" },
      answer: toFile(
        "card_id,name,last4,amount,currency,state,code,detail,level",
        `${IDS.card},Ada Lovelace,4242,,USD,done,,,`,
      ),
    },
  ],
});
