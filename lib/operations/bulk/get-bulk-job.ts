import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { bulkJobSchema } from "#lib/api/contract/bulk.ts";
import { ENDED_JOB } from "#lib/operations/bulk/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const getBulkJob = operation({
  id: "getBulkJob",
  method: "GET",
  path: "/bulk/{id}",
  summary: "Get a bulk job",
  description: "Its counts grow until it has ended.",
  kind: "read",
  scope: "cards:read",
  notFound: "bulk_job_not_found",
  answer: z.strictObject({ data: bulkJobSchema }),
  examples: [{ id: IDS.bulkJob, answer: { data: ENDED_JOB } }],
});
