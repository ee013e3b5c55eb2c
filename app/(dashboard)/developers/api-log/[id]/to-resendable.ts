import { hasBody, toAbsence } from "./not-kept.ts";
import type { DetailedResource } from "./not-kept.ts";
import { findRedactedMembers } from "./redacted-members.ts";
import type { RedactedMember } from "./redacted-members.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { takesIdempotencyKey } from "#lib/operations/refusals.ts";

/** A request that can be sent again, or why it cannot. */
export interface Resendable {
  disabledReason: string | null;
  method: string;
  path: string;
  apiVersion: string | null;
  /** The body as text if all of it was kept; null if there was none, or members are missing. */
  text: string | null;
  /** The kept part of the body. */
  body: unknown;
  missing: readonly RedactedMember[];
  takesKey: boolean;
  /** The key it was sent with. */
  key: string | null;
  /** Why it cannot be sent with the same key. */
  sameKeyDisabledReason: string | null;
}

export function toResendable(logged: DetailedResource): Resendable {
  const { method, path, api_version: apiVersion, idempotency_key: key, request } = logged;
  const operation = OPERATIONS.find(({ id }) => id === logged.operation);
  const isRead = request !== null && hasBody(request);
  const takesKey = operation !== undefined && takesIdempotencyKey(operation);
  return {
    disabledReason: toDisabledReason(logged, operation !== undefined),
    method,
    path,
    apiVersion,
    text: request?.text ?? null,
    body: isRead ? request.body : null,
    missing: operation && isRead ? findRedactedMembers(operation, request.body) : [],
    takesKey,
    key: takesKey ? key : null,
    sameKeyDisabledReason: toSameKeyDisabledReason(logged),
  };
}

function toDisabledReason(logged: DetailedResource, isKnown: boolean): string | null {
  const { request } = logged;
  if (!isKnown || request === null) {
    return toAbsence(logged) ?? "This operation no longer exists.";
  }
  const LOST: Readonly<Partial<Record<typeof request.form, string>>> = {
    malformed: "The body was malformed, so it wasn't kept.",
    unread: "The body was never read, so it wasn't kept.",
    truncated: "Only part of the body is kept.",
  };
  return LOST[request.form] ?? null;
}

function toSameKeyDisabledReason({ request, idempotency_key: key }: DetailedResource) {
  if (key === null) {
    return "It was sent without an idempotency key.";
  }
  return request?.form === "none" || (request?.text ?? null) !== null
    ? null
    : "Not all of its body was kept, and the same key takes the same body.";
}
