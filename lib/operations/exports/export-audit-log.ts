import { z } from "zod";
import { auditFilter } from "#lib/api/contract/filters.ts";
import { IDS, REQUEST_ID, STAFF_ACTOR } from "#lib/api/contract/samples.ts";
import { AT } from "#lib/operations/access/samples.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { toFile } from "#lib/operations/exports/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const exportAuditLog = operation({
  id: "exportAuditLog",
  method: "GET",
  path: "/exports/audit-log",
  summary: "Export the audit log as CSV, newest first, without a row limit",
  description: "What changed is JSON. Times have the offset of the account's time_zone.",
  kind: "read",
  scope: "audit:read",
  staffOnly: true,
  query: z.strictObject({ ...linked, ...auditFilter }),
  answer: csv,
  examples: [
    {
      query: { from: "2026-11-01" },
      answer: toFile(
        "id,created_at,action,actor_type,actor_id,actor_name,target_type,target_id,before,after,address,agent,request_id",
        `${IDS.entry},${AT},api_key.created,${STAFF_ACTOR.type},${STAFF_ACTOR.id},${STAFF_ACTOR.name},api_key,${IDS.apiKey},,"{""name"":""First key""}",203.0.113.7,Mozilla/5.0,${REQUEST_ID}`,
      ),
    },
  ],
});
