import type { ErrorCode, MemberErrors } from "#lib/base/errors.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";

interface ProblemRow {
  status: number;
  title: string;
  /** The request member that caused a refusal by the state of the business. */
  member?: "amount" | "currency";
  /** What stands in the way ends by itself, so the answer is not final: it has `Retry-After`, and a repeat is performed. */
  passing?: true;
}

/** The status and title of each refusal. A new code without a row does not compile. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemRow>> = {
  request_malformed: { status: 400, title: "Malformed request" },
  idempotency_key_required: { status: 400, title: "Idempotency key required" },
  idempotency_key_malformed: { status: 400, title: "Malformed idempotency key" },
  version_unknown: { status: 400, title: "Unknown version" },
  email_already_registered: { status: 400, title: "Already registered" },
  user_already_exists: { status: 400, title: "already_exists" },
  credential_missing: { status: 401, title: "Unauthorized" },
  credential_invalid: { status: 401, title: "Unauthorized" },
  scope_missing: { status: 403, title: "Not allowed" },
  sandbox_only: { status: 403, title: "Sandbox only" },
  fresh_sign_in_required: { status: 403, title: "Recent sign-in required" },
  second_factor_required: { status: 403, title: "Two-factor authentication required" },
  role_insufficient: { status: 403, title: "Not allowed" },
  origin_refused: { status: 403, title: "Not allowed" },
  path_unknown: { status: 404, title: "Not found" },
  not_in_version: { status: 404, title: "Not in this version" },
  card_not_found: { status: 404, title: "Not found" },
  user_not_found: { status: 404, title: "Not found" },
  transaction_not_found: { status: 404, title: "Not found" },
  integrator_not_found: { status: 404, title: "Not found" },
  staff_not_found: { status: 404, title: "Not found" },
  session_not_found: { status: 404, title: "Not found" },
  link_not_found: { status: 404, title: "Not found" },
  api_key_not_found: { status: 404, title: "Not found" },
  authorization_not_found: { status: 404, title: "Not found" },
  delivery_not_found: { status: 404, title: "Not found" },
  event_not_found: { status: 404, title: "Not found" },
  request_not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  sunset: { status: 410, title: "Gone" },
  request_timeout: { status: 408, title: "Request timeout", passing: true },
  card_closed: { status: 409, title: "Card closed" },
  card_expired: { status: 409, title: "Card expired" },
  card_has_holds: { status: 409, title: "Card has open authorizations" },
  card_status_changed: { status: 409, title: "Card status changed" },
  user_archived: { status: 409, title: "Cardholder archived" },
  user_has_cards: { status: 409, title: "Cardholder has open cards" },
  staff_last_owner: { status: 409, title: "Last owner" },
  second_factor_exists: { status: 409, title: "Two-factor authentication already on" },
  authorization_captured: { status: 409, title: "Authorization captured" },
  authorization_reversed: { status: 409, title: "Authorization reversed" },
  authorization_expired: { status: 409, title: "Authorization expired" },
  authorization_declined: { status: 409, title: "Authorization declined" },
  transaction_not_settled: { status: 409, title: "Transaction not settled" },
  clock_advancing: { status: 409, title: "Clock advancing", passing: true },
  clock_in_use: { status: 409, title: "Clock in use" },
  reference_reused: { status: 409, title: "Reference already used" },
  webhook_url_missing: { status: 409, title: "No webhook URL" },
  notifications_switched_off: { status: 409, title: "Webhooks disabled" },
  idempotency_in_progress: { status: 409, title: "Request in progress", passing: true },
  idempotency_key_expired: { status: 409, title: "Idempotency key expired" },
  body_too_large: { status: 413, title: "Body too large" },
  content_type_unsupported: { status: 415, title: "Unsupported content type" },
  host_unknown: { status: 421, title: "Misdirected request" },
  expectation_failed: { status: 417, title: "Expectation failed" },
  validation_failed: { status: 422, title: "Unprocessable entity" },
  currency_mismatch: { status: 422, title: "Unprocessable entity", member: "currency" },
  insufficient_float: { status: 422, title: "Unprocessable entity", member: "amount" },
  insufficient_card_balance: { status: 422, title: "Unprocessable entity", member: "amount" },
  balance_limit_exceeded: { status: 422, title: "Unprocessable entity", member: "amount" },
  capture_exceeds_authorization: { status: 422, title: "Unprocessable entity", member: "amount" },
  reversal_exceeds_hold: { status: 422, title: "Unprocessable entity", member: "amount" },
  refund_exceeds_purchase: { status: 422, title: "Unprocessable entity", member: "amount" },
  idempotency_key_reused: { status: 422, title: "Unprocessable entity" },
  rate_limited: { status: 429, title: "Too many requests", passing: true },
  headers_too_large: { status: 431, title: "Headers too large" },
  internal_error: { status: 500, title: "Internal error" },
  overloaded: { status: 503, title: "Server busy", passing: true },
  pages_unavailable: { status: 503, title: "Unavailable", passing: true },
  database_unavailable: { status: 503, title: "Unavailable", passing: true },
  outcome_unknown: { status: 503, title: "Outcome unknown", passing: true },
  books_unbalanced: { status: 503, title: "Fund movements suspended", passing: true },
};

/** A refusal about to be answered. */
export interface Refusal {
  code: ErrorCode;
  detail: string;
  errors: MemberErrors | undefined;
}

/**
 * The refusal for a thrown value. Anything other than a refusal is logged, and the answer reveals
 * only its request id.
 * @param names the request's id, and the caller's own names for it, which are logged too.
 */
export function toRefusal(thrown: unknown, names: { requestId: string }): Refusal {
  if (isDomainError(thrown)) {
    return { code: thrown.code, detail: thrown.detail, errors: thrown.errors };
  }
  const { requestId } = names;
  log.error({ err: thrown, ...names }, "A request failed unexpectedly.");
  return {
    code: "internal_error",
    detail: `Something went wrong on our side. Contact us with the request id ${requestId}.`,
    errors: undefined,
  };
}

/**
 * Whether a key keeps a refusal with this code: one by the state of the business. The form of a request is judged before
 * its key is looked at, and so is never kept.
 */
export function isStorable(code: ErrorCode): boolean {
  const { status, passing } = PROBLEMS[code];
  return (status === 409 || status === 422) && !passing && code !== "validation_failed";
}

/**
 * The body of a problem (RFC 9457), including the `message` and `errors` members that existing
 * clients read.
 */
export function toProblem(refusal: Refusal, at: { instance: string; requestId: string }) {
  const { status, title } = PROBLEMS[refusal.code];
  return {
    type: `/docs/errors#${refusal.code}`,
    title,
    status,
    detail: refusal.detail,
    instance: at.instance,
    code: refusal.code,
    request_id: at.requestId,
    message: title,
    ...toErrors(refusal),
  };
}

function toErrors(refusal: Refusal): { errors?: Record<string, string | readonly string[]> } {
  if (refusal.code === "email_already_registered") {
    // The existing service answers this one with a sentence where the others have lists.
    return { errors: { message: refusal.detail } };
  }
  const { member } = PROBLEMS[refusal.code];
  const errors = refusal.errors ?? (member && { [member]: [refusal.detail] });
  return errors ? { errors: { ...errors } } : {};
}
