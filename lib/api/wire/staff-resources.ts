import type { z } from "zod";
import type { requestWithBodiesSchema } from "#lib/api/contract/staff-resources.ts";
import type { exportAuditLog } from "#lib/operations/exports/export-audit-log.ts";
import { toAuditSearch } from "#lib/operations/audit-titles.ts";
import type { AuditEntry, AuditFilter } from "#lib/record/audit.ts";
import type { ApiKey } from "#lib/access/api-keys.ts";
import type { DetailedRequest, LoggedRequest } from "#lib/record/request-log.ts";
import type { StaffLink } from "#lib/staff/staff-links.ts";
import type { StaffMember } from "#lib/staff/staff.ts";

/** The wire form of staff, API keys, and their audit and request logs. */

export function toStaffResource(member: StaffMember) {
  return {
    id: member.id,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    role: member.role,
    second_factor: member.hasSecondFactor,
    signed_in_at: member.signedInAt?.toISOString() ?? null,
    created_at: member.createdAt.toISOString(),
  };
}

export function toLinkResource(link: StaffLink) {
  return {
    id: link.id,
    kind: link.kind,
    email: link.email,
    role: link.role,
    created_by: link.createdBy,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
  };
}

export function toApiKeyResource(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    suffix: key.suffix,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

/** Converts a filter of the audit log from its wire form to its domain form. */
export function toAuditFilter({
  actor_id: actorId,
  target_id: targetId,
  action,
  search,
  from,
  to,
}: AuditQuery): Omit<AuditFilter, "limit" | "cursor"> {
  return { action, actorId, targetId, search: toAuditSearch(search), from, to };
}

type AuditQuery = z.output<(typeof exportAuditLog)["query"]>;

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

export function toLoggedRequestResource(request: LoggedRequest) {
  return {
    id: request.id,
    actor: request.actor,
    operation: request.operation,
    method: request.method,
    path: request.path,
    status: request.status,
    code: request.code,
    detail: request.detail,
    card_id: request.cardId,
    duration_ms: request.durationMs,
    request_id: request.requestId,
    address: request.address,
    api_version: request.apiVersion,
    idempotency_key: request.idempotencyKey,
    replayed: request.replayed,
    created_at: request.createdAt.toISOString(),
  };
}

/** As stored, except that what was kept and is no longer there has expired. */
export function toDetailedRequestResource(request: DetailedRequest) {
  const { request: sent, response: answered, bodies } = request;
  const isExpired = bodies === "kept" && sent === null;
  return {
    ...toLoggedRequestResource(request),
    bodies: isExpired ? ("expired" as const) : bodies,
    request: toKeptBody(sent),
    response: toKeptBody(answered),
  };
}

/** A body of the API log. */
export type KeptBody = NonNullable<z.output<typeof requestWithBodiesSchema>["request"]>;

interface StoredBody extends Pick<KeptBody, "form" | "unknown_members"> {
  text?: string;
  body?: unknown;
}

function toKeptBody(text: string | null): KeptBody | null {
  if (text === null) {
    return null;
  }
  const stored: StoredBody = JSON.parse(text);
  const exact = stored.text ?? null;
  return {
    form: stored.form,
    unknown_members: stored.unknown_members,
    text: exact,
    body: exact === null ? (stored.body ?? null) : JSON.parse(exact),
  };
}
