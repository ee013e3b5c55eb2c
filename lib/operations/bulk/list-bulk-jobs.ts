import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { bulkJobSchema } from "#lib/api/contract/bulk.ts";
import { ENDED_JOB } from "#lib/operations/bulk/samples.ts";
import { periodFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/operations/operation.ts";

export const listBulkJobs = operation({
  id: "listBulkJobs",
  method: "GET",
  path: "/bulk",
  summary: "List bulk jobs, newest first",
  description: "What was asked for many cards at once, and how far it is.",
  kind: "read",
  scope: "cards:read",
  query: z.strictObject({ ...periodFilter, limit, cursor: cursor.optional() }),
  answer: pageOf(bulkJobSchema),
  examples: [{ query: { limit: "15" }, answer: { data: [ENDED_JOB], next_cursor: null } }],
});
