import type { Operation } from "#lib/api/contract/operation.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import type { ErrorCode } from "#lib/base/errors.ts";

/** What any operation may answer. */
const EVERY: readonly ErrorCode[] = ["validation_failed", "version_unknown", "internal_error"];

/** What comes before an operation that needs a credential. */
const CREDENTIAL: readonly ErrorCode[] = [
  "credential_missing",
  "credential_invalid",
  "scope_missing",
  "rate_limited",
  "database_unavailable",
];

const BODY: readonly ErrorCode[] = [
  "request_malformed",
  "body_too_large",
  "content_type_unsupported",
];

/** What a change with a credential may answer: also a session's checks, and a commit that cannot be settled. */
const CHANGE: readonly ErrorCode[] = [
  "origin_refused",
  "content_type_unsupported",
  "outcome_unknown",
];

/** What comes of the Idempotency-Key header itself. */
const KEY_HEADER: readonly ErrorCode[] = ["idempotency_key_required", "idempotency_key_malformed"];

/** What comes of an answer that is kept under a key. */
const KEPT_ANSWER: readonly ErrorCode[] = [
  "idempotency_key_reused",
  "idempotency_in_progress",
  "idempotency_key_expired",
];

/**
 * Every code that an operation may answer, and no other: what follows from its declaration, and what it declares itself.
 * The OpenAPI document and the tests go by it.
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

/** What an operation may answer because of how it is declared. */
const IMPLIED: readonly (readonly [(operation: Operation) => boolean, readonly ErrorCode[]])[] = [
  [({ kind }) => kind !== "public", CREDENTIAL],
  [({ kind }) => kind !== "public" && kind !== "read", CHANGE],
  [({ body }) => body !== null, BODY],
  [takesIdempotencyKey, KEY_HEADER],
  [(operation) => takesIdempotencyKey(operation) && !operation.secret, KEPT_ANSWER],
  [({ scope, kind }) => scope !== null && kind !== "processor", ["second_factor_required"]],
  [({ fresh }) => fresh, ["fresh_sign_in_required"]],
  [({ sandboxOnly }) => sandboxOnly, ["sandbox_only"]],
  [({ since }) => since !== null && since !== API_VERSIONS[0], ["not_in_version"]],
];

/** Whether an operation reads an Idempotency-Key: the card processor's go by their reference instead. */
export function takesIdempotencyKey({ kind }: Operation): boolean {
  return kind === "write" || kind === "funds";
}
