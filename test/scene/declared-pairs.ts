import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { CREDENTIAL, declaredErrors } from "#lib/operations/refusals.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";

/** The codes that all operations of a kind return for the same reason. */
export const GENERAL_CODES = [
  "validation_failed",
  "version_unknown",
  "internal_error",
  ...CREDENTIAL,
  "origin_refused",
  "content_type_unsupported",
  "request_malformed",
  "body_too_large",
  "idempotency_key_required",
  "idempotency_key_malformed",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "idempotency_key_expired",
  "response_erased",
  "reference_reused",
  "second_factor_required",
  "fresh_sign_in_required",
  "sandbox_only",
  "not_in_version",
  "precondition_failed",
  "sunset",
] as const satisfies readonly ErrorCode[];

export type GeneralCode = (typeof GENERAL_CODES)[number];

/** Codes of a commit itself, which one function makes for all operations, and of the operator's stops (stops.test.ts). */
const COMMIT_CODES = [
  "database_full",
  "read_only",
  "account_stopped",
  "outcome_unknown",
] as const satisfies readonly ErrorCode[];

/** Codes whose tests are about what causes them: also a full queue. */
const ELSEWHERE_CODES = ["overloaded", ...COMMIT_CODES] as const satisfies readonly ErrorCode[];

/** One operation for each path to a commit. */
export const COMMITTING = [
  "registerUser",
  "creditCard",
  "freezeCard",
  "createAuthorization",
  "createFunding",
  "registerIntegrator",
] as const;

/** The codes that need no case of their own for each operation. */
export type ElsewhereCode = GeneralCode | (typeof ELSEWHERE_CODES)[number];

const GENERAL: ReadonlySet<string> = new Set(GENERAL_CODES);
const OF_COMMITS: ReadonlySet<string> = new Set(COMMIT_CODES);

/** A refusal that an operation declares. */
export interface DeclaredPair {
  operation: Operation;
  code: ErrorCode;
}

const PAIRS: readonly DeclaredPair[] = OPERATIONS.flatMap((operation) =>
  [...declaredErrors(operation)].map((code) => ({ operation, code })),
);

/** The operations that declare a general code. */
export function operationsDeclaring(code: GeneralCode): Operation[] {
  return PAIRS.filter((pair) => pair.code === code).map(({ operation }) => operation);
}

/** Refusals by the state of the business, except for an unknown id in the path, as `operation code`. */
export const BUSINESS_PAIRS: readonly string[] = PAIRS.filter(
  ({ operation, code }) =>
    !GENERAL.has(code) && !OF_COMMITS.has(code) && code !== operation.notFound,
).map(({ operation, code }) => `${operation.id} ${code}`);
