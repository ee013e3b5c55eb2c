import type { Cells } from "#lib/base/cell.ts";
import type { AuditEntry } from "#lib/record/audit.ts";

export function toAuditResource(entry: AuditEntry) {
  return {
    id: entry.id,
    actor: entry.actor,
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    before: entry.before,
    after: entry.after,
    address: entry.address,
    agent: entry.agent,
    request_id: entry.requestId,
    created_at: entry.createdAt.toISOString(),
  };
}

/** The columns of a spreadsheet of the audit log. A new one goes to the end. */
export const AUDIT_CELLS: Cells<AuditEntry> = {
  id: (entry) => entry.id,
  created_at: (entry) => entry.createdAt,
  action: (entry) => entry.action,
  actor_type: (entry) => entry.actor.type,
  actor_id: (entry) => entry.actor.id,
  actor_name: (entry) => entry.actor.name,
  target_type: (entry) => entry.targetType,
  target_id: (entry) => entry.targetId,
  before: (entry) => entry.before && JSON.stringify(entry.before),
  after: (entry) => entry.after && JSON.stringify(entry.after),
  address: (entry) => entry.address,
  agent: (entry) => entry.agent,
  request_id: (entry) => entry.requestId,
};
