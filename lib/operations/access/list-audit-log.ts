import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { auditFilter } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { auditSchema } from "#lib/api/contract/audit-entry.ts";
import { AT } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS, REQUEST_ID, STAFF_ACTOR } from "#lib/api/contract/samples.ts";

export const listAuditLog = operation({
  id: "listAuditLog",
  method: "GET",
  path: "/audit-log",
  summary: "List the audit log, newest first",
  description: "Who changed what, and which changes were refused.",
  kind: "read",
  scope: "audit:read",
  staffOnly: true,
  query: z.strictObject({
    ...auditFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(auditSchema),
  examples: [
    {
      query: { from: "2026-11-01", limit: "15" },
      answer: {
        data: [
          {
            id: IDS.entry,
            actor: STAFF_ACTOR,
            action: "api_key.created",
            target_type: "api_key",
            target_id: IDS.apiKey,
            before: null,
            after: { name: "First key" },
            address: "203.0.113.7",
            agent: "Mozilla/5.0",
            request_id: REQUEST_ID,
            created_at: AT,
          },
        ],
        next_cursor: null,
      },
    },
  ],
});
