import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { bulkJobSchema } from "#lib/api/contract/bulk.ts";
import { ENDED_JOB } from "#lib/operations/bulk/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const cancelBulkJob = operation({
  id: "cancelBulkJob",
  method: "POST",
  path: "/bulk/{id}/cancel",
  summary: "Cancel a bulk job",
  description:
    "What has been done stays, and the rest is not tried. A job that has ended is returned as it is. Needs the scope that the job itself needs.",
  attempt: "cancel a bulk job",
  kind: "write",
  scope: "cards:read",
  notFound: "bulk_job_not_found",
  answer: z.strictObject({ data: bulkJobSchema }),
  examples: [{ id: IDS.bulkJob, answer: { data: ENDED_JOB } }],
});
