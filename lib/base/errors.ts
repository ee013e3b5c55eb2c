/**
 * The closed list of error codes, named `noun_state`. The HTTP edge maps each code to its status in one exhaustive
 * record. `docs/errors.md` explains each code.
 */
export const ERROR_CODES = [
  "request_malformed",
  "idempotency_key_required",
  "idempotency_key_malformed",
  "version_unknown",
  "credential_missing",
  "credential_invalid",
  "scope_missing",
  "sandbox_only",
  "fresh_sign_in_required",
  "second_factor_required",
  "role_insufficient",
  "freeze_not_liftable",
  "origin_refused",
  "session_changed",
  "path_unknown",
  "not_in_version",
  "sunset",
  "card_not_found",
  "user_not_found",
  "transaction_not_found",
  "integrator_not_found",
  "staff_not_found",
  "session_not_found",
  "link_not_found",
  "api_key_not_found",
  "authorization_not_found",
  "fact_unmatched",
  "bulk_job_not_found",
  "delivery_not_found",
  "endpoint_not_found",
  "event_not_found",
  "request_not_found",
  "view_not_found",
  "method_not_allowed",
  "card_closed",
  "card_expired",
  "card_status_changed",
  "reason_required",
  "user_archived",
  "user_erased",
  "user_has_cards",
  "staff_last_owner",
  "second_factor_exists",
  "authorization_captured",
  "authorization_reversed",
  "authorization_expired",
  "authorization_declined",
  "transaction_not_settled",
  "precondition_failed",
  "clock_advancing",
  "clock_in_use",
  "reference_reused",
  "webhook_url_missing",
  "signing_secrets_exhausted",
  "endpoints_exhausted",
  "endpoint_is_first",
  "notifications_switched_off",
  "email_already_registered",
  "user_already_exists",
  "idempotency_in_progress",
  "idempotency_key_expired",
  "idempotency_key_reused",
  "response_erased",
  "request_timeout",
  "body_too_large",
  "headers_too_large",
  "expectation_failed",
  "host_unknown",
  "content_type_unsupported",
  "validation_failed",
  "currency_mismatch",
  "insufficient_float",
  "insufficient_card_balance",
  "balance_limit_exceeded",
  "capture_exceeds_authorization",
  "reversal_exceeds_hold",
  "refund_exceeds_purchase",
  "rate_limited",
  "overloaded",
  "pages_unavailable",
  "database_unavailable",
  "database_full",
  "outcome_unknown",
  "books_unbalanced",
  "internal_error",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Maps a member of the request, spelled as on the wire, to the sentences that say what is wrong with it. */
export type MemberErrors = Readonly<Record<string, readonly string[]>>;

/**
 * A refusal. Throwing it rolls back the transaction, and the HTTP edge turns it into a problem. Identify it by `code`,
 * never by `instanceof`: pages and the API can load this module twice in one process.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /** One sentence for the caller. Never includes a secret or an internal detail. */
  readonly detail: string;
  readonly errors: MemberErrors | undefined;

  constructor(code: ErrorCode, detail: string, errors?: MemberErrors) {
    super(`${code}: ${detail}`);
    this.name = "DomainError";
    this.code = code;
    this.detail = detail;
    this.errors = errors;
  }
}

/** The sentence of each "not found" error. Malformed, unknown, and other integrators' ids all get the same one. */
export const NOT_FOUND = {
  card_not_found: "There is no such card.",
  user_not_found: "There is no such user.",
  transaction_not_found: "There is no such transaction.",
  integrator_not_found: "There is no such integrator.",
  staff_not_found: "There is no such member of staff.",
  session_not_found: "There is no such session, or it has ended.",
  link_not_found: "This link is unknown, used, revoked, or expired. Request a new one.",
  api_key_not_found: "There is no such API key.",
  authorization_not_found: "There is no such authorization.",
  bulk_job_not_found: "There is no such bulk job.",
  delivery_not_found: "There is no such delivery.",
  endpoint_not_found: "There is no such webhook endpoint, or it was deleted.",
  event_not_found: "There is no such event.",
  request_not_found: "The API log has no such request. Rows are kept for 30 days.",
  view_not_found: "There is no such view, or it is not shared with you.",
} as const satisfies Partial<Record<ErrorCode, string>>;

export type NotFoundCode = keyof typeof NOT_FOUND;

/** The refusal for an id that is unknown or that belongs to another integrator. */
export function notFound(code: NotFoundCode): DomainError {
  return new DomainError(code, NOT_FOUND[code]);
}

const CODES: ReadonlySet<unknown> = new Set(ERROR_CODES);

/** Whether a thrown value is a domain refusal, whichever copy of this module created it. */
export function isDomainError(thrown: unknown): thrown is DomainError {
  return (
    thrown instanceof Error && "code" in thrown && CODES.has(thrown.code) && "detail" in thrown
  );
}
