import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { id, networkAddress, time } from "#lib/api/contract/internal/answer-members.ts";
import { AUDIT_TARGETS } from "#lib/record/audit-actions.ts";

const TARGET_LIST = new Intl.ListFormat("en-US", { type: "disjunction" });

export const auditSchema = z
  .strictObject({
    id,
    actor: actorSchema,
    action: z
      .string()
      .describe(
        "What was done, such as card.frozen; for a refused attempt, the operation followed by .refused.",
      ),
    target_type: z
      .string()
      .describe(`What it was done to: a ${TARGET_LIST.format(AUDIT_TARGETS)}.`),
    target_id: id.describe("The id of what it was done to."),
    before: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The members that changed, as they were before; null if there were none."),
    after: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The members that changed, as they were after; null if there were none."),
    address: networkAddress,
    agent: z
      .string()
      .nullable()
      .describe("The User-Agent of the request; null if it sent none, or if there was no request."),
    request_id: z.string(),
    created_at: time,
  })
  .meta({ id: "AuditEntry" });
