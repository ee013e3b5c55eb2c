import type { Operation } from "#lib/operations/operation.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";

/** Codes that any operation may answer. */
const EVERY: readonly ErrorCode[] = ["validation_failed", "version_unknown", "internal_error"];

/** Codes from the checks that precede an operation with a credential. */
export const CREDENTIAL = [
  "credential_missing",
  "session_changed",
  "credential_invalid",
  "cell_elsewhere",
  "scope_missing",
  "rate_limited",
  "database_unavailable",
] as const satisfies readonly ErrorCode[];

/** Codes of a body: long bodies share a memory budget, and bodies of one sender wait for each other. */
const BODY: readonly ErrorCode[] = [
  "request_malformed",
  "body_too_large",
  "content_type_unsupported",
  "overloaded",
];

/**
 * Codes of a change with a credential, including a session's checks, a full database, changes stopped by the operator,
 * and a commit with an unknown outcome.
 */
const CHANGE: readonly ErrorCode[] = [
  "origin_refused",
  "content_type_unsupported",
  "database_full",
  "read_only",
  "outcome_unknown",
];

/** Codes of the Idempotency-Key header itself. */
const KEY_HEADER: readonly ErrorCode[] = ["idempotency_key_required", "idempotency_key_malformed"];

/** Codes of an answer that is stored under a key. */
const KEPT_ANSWER: readonly ErrorCode[] = [
  "idempotency_key_reused",
  "idempotency_in_progress",
  "idempotency_key_expired",
  "response_erased",
];

/**
 * Exactly the codes that an operation may answer: those that follow from its declaration and those
 * it declares itself. The OpenAPI document and the tests use this.
 */
export function declaredErrors(operation: Operation): ReadonlySet<ErrorCode> {
  const implied = IMPLIED.filter(([holds]) => holds(operation)).flatMap(([, codes]) => codes);
  return new Set([
    ...EVERY,
    ...implied,
    ...(operation.notFound ? [operation.notFound] : []),
    ...operation.errors,
  ]);
}

/** Codes that follow from how an operation is declared. */
const IMPLIED: readonly (readonly [(operation: Operation) => boolean, readonly ErrorCode[]])[] = [
  [({ kind }) => kind !== "public", CREDENTIAL],
  [({ kind }) => kind !== "public" && kind !== "read", CHANGE],
  [({ body }) => body !== null, BODY],
  [takesIdempotencyKey, [...KEY_HEADER, "account_stopped"]],
  [(operation) => takesIdempotencyKey(operation) && !operation.secret, KEPT_ANSWER],
  [({ scope, kind }) => scope !== null && kind !== "processor", ["second_factor_required"]],
  [({ fresh }) => fresh, ["fresh_sign_in_required"]],
  [({ sandboxOnly }) => sandboxOnly, ["sandbox_only"]],
  [({ since }) => since !== null && since !== API_VERSIONS[0], ["not_in_version"]],
  [takesIfMatch, ["precondition_failed"]],
  [({ deprecation }) => deprecation !== null, ["sunset"]],
];

/**
 * Whether an operation reads an Idempotency-Key. Card processor operations use their reference
 * instead.
 */
export function takesIdempotencyKey({ kind }: Operation): boolean {
  return kind === "write" || kind === "funds";
}

/** Whether an operation changes a resource with an entity tag, and so reads If-Match. */
export function takesIfMatch({ kind, tagged }: Operation): boolean {
  return kind === "write" && tagged;
}
