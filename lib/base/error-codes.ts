/**
 * Every error code, named `noun_state`, with the status and title of its answer. `docs/errors.md` explains each. The order is
 * that of the client library's types.
 */

interface Problem {
  status: number;
  /** What the code means in a few words. Each code has a distinct title. */
  title: string;
  /** The `message` that existing clients read; by default, the title. */
  message?: string;
  /** The request member that caused a business refusal (409, 422). */
  member?: "amount" | "currency";
  /** The obstacle is temporary, so the response is not final: it has `Retry-After`, and a retry is performed. */
  passing?: true;
}

/** A title shared by several codes; existing clients tell refusals apart by it alone. */
const UNAUTHORIZED = { status: 401, message: "Unauthorized" };
const NOT_ALLOWED = { status: 403, message: "Not allowed" };
const NOT_FOUND = { status: 404, message: "Not found" };
const UNPROCESSABLE = { status: 422, message: "Unprocessable entity" };
const UNAVAILABLE = { status: 503, message: "Unavailable" };

const TABLE = {
  request_malformed: { status: 400, title: "Malformed request" },
  idempotency_key_required: { status: 400, title: "Idempotency key required" },
  idempotency_key_malformed: { status: 400, title: "Malformed idempotency key" },
  version_unknown: { status: 400, title: "Unknown version" },
  credential_missing: { ...UNAUTHORIZED, title: "Credential missing" },
  credential_invalid: { ...UNAUTHORIZED, title: "Credential invalid" },
  cell_elsewhere: { status: 421, title: "Another cell's API key" },
  account_stopped: { ...NOT_ALLOWED, title: "Account stopped" },
  scope_missing: { ...NOT_ALLOWED, title: "Scope missing" },
  sandbox_only: { status: 403, title: "Sandbox only" },
  fresh_sign_in_required: { status: 403, title: "Recent sign-in required" },
  second_factor_required: { status: 403, title: "Two-factor authentication required" },
  role_insufficient: { ...NOT_ALLOWED, title: "Role insufficient" },
  approval_own: { ...NOT_ALLOWED, title: "Your own request" },
  freeze_not_liftable: { ...NOT_ALLOWED, title: "Freeze not liftable" },
  origin_refused: { ...NOT_ALLOWED, title: "Origin refused" },
  session_changed: { status: 409, title: "Session changed" },
  path_unknown: { ...NOT_FOUND, title: "Unknown path" },
  not_in_version: { status: 404, title: "Not in this version" },
  sunset: { status: 410, title: "Gone" },
  card_not_found: { ...NOT_FOUND, title: "Card not found" },
  user_not_found: { ...NOT_FOUND, title: "Cardholder not found" },
  transaction_not_found: { ...NOT_FOUND, title: "Transaction not found" },
  integrator_not_found: { ...NOT_FOUND, title: "Integrator not found" },
  staff_not_found: { ...NOT_FOUND, title: "Staff not found" },
  session_not_found: { ...NOT_FOUND, title: "Session not found" },
  link_not_found: { ...NOT_FOUND, title: "Link not found" },
  api_key_inactive: { status: 409, title: "API key inactive" },
  api_key_not_found: { ...NOT_FOUND, title: "API key not found" },
  authorization_not_found: { ...NOT_FOUND, title: "Authorization not found" },
  fact_unmatched: { ...UNPROCESSABLE, title: "No card to record this on", passing: true },
  bulk_job_not_found: { ...NOT_FOUND, title: "Bulk job not found" },
  delivery_not_found: { ...NOT_FOUND, title: "Delivery not found" },
  endpoint_not_found: { ...NOT_FOUND, title: "Webhook endpoint not found" },
  event_not_found: { ...NOT_FOUND, title: "Event not found" },
  request_not_found: { ...NOT_FOUND, title: "Request not found" },
  approval_not_found: { ...NOT_FOUND, title: "Approval not found" },
  view_not_found: { ...NOT_FOUND, title: "View not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  card_closed: { status: 409, title: "Card closed" },
  card_replaced: { status: 409, title: "Card already replaced" },
  single_use_spent: { status: 409, title: "Single-use card already used" },
  card_expired: { status: 409, title: "Card expired" },
  card_status_changed: { status: 409, title: "Card status changed" },
  reason_required: { ...UNPROCESSABLE, title: "Reason required" },
  user_archived: { status: 409, title: "Cardholder archived" },
  user_erased: { status: 409, title: "Cardholder erased" },
  user_has_cards: { status: 409, title: "Cardholder has open cards" },
  approval_decided: { status: 409, title: "Approval already decided" },
  approval_outdated: { status: 409, title: "Approval outdated" },
  approvers_missing: { status: 409, title: "Too few approvers" },
  requester_insufficient: { status: 409, title: "Requester may not" },
  staff_last_owner: { status: 409, title: "Last owner" },
  second_factor_exists: { status: 409, title: "Two-factor authentication already on" },
  authorization_captured: { status: 409, title: "Authorization captured" },
  authorization_reversed: { status: 409, title: "Authorization reversed" },
  authorization_expired: { status: 409, title: "Authorization expired" },
  authorization_declined: { status: 409, title: "Authorization declined" },
  transaction_not_settled: { status: 409, title: "Transaction not settled" },
  precondition_failed: { status: 412, title: "Changed since it was read" },
  clock_advancing: { status: 409, title: "Clock advancing", passing: true },
  clock_in_use: { status: 409, title: "Clock in use" },
  reference_reused: { status: 409, title: "Reference already used" },
  webhook_url_missing: { status: 409, title: "No webhook URL" },
  signing_secrets_exhausted: { status: 409, title: "Too many rotations" },
  endpoints_exhausted: { status: 409, title: "Too many webhook endpoints" },
  endpoint_is_first: { status: 409, title: "The first webhook endpoint" },
  notifications_switched_off: { status: 409, title: "Webhooks disabled" },
  email_already_registered: { status: 400, title: "Already registered" },
  user_already_exists: {
    status: 400,
    message: "already_exists",
    title: "Cardholder already exists",
  },
  idempotency_in_progress: { status: 409, title: "Request in progress", passing: true },
  idempotency_key_expired: { status: 409, title: "Idempotency key expired" },
  idempotency_key_reused: { ...UNPROCESSABLE, title: "Idempotency key already used" },
  response_erased: { status: 410, title: "Response erased" },
  request_timeout: { status: 408, title: "Request timeout", passing: true },
  body_too_large: { status: 413, title: "Body too large" },
  headers_too_large: { status: 431, title: "Headers too large" },
  expectation_failed: { status: 417, title: "Expectation failed" },
  host_unknown: { status: 421, title: "Misdirected request" },
  content_type_unsupported: { status: 415, title: "Unsupported content type" },
  validation_failed: { ...UNPROCESSABLE, title: "Invalid request" },
  currency_mismatch: { ...UNPROCESSABLE, title: "Currency mismatch", member: "currency" },
  insufficient_float: { ...UNPROCESSABLE, title: "Insufficient float", member: "amount" },
  insufficient_card_balance: {
    ...UNPROCESSABLE,
    title: "Insufficient card balance",
    member: "amount",
  },
  balance_limit_exceeded: { ...UNPROCESSABLE, title: "Balance limit exceeded", member: "amount" },
  capture_exceeds_authorization: {
    ...UNPROCESSABLE,
    title: "Capture exceeds authorization",
    member: "amount",
  },
  reversal_exceeds_hold: { ...UNPROCESSABLE, title: "Reversal exceeds hold", member: "amount" },
  refund_exceeds_purchase: { ...UNPROCESSABLE, title: "Refund exceeds purchase", member: "amount" },
  rate_limited: { status: 429, title: "Too many requests", passing: true },
  overloaded: { status: 503, title: "Server busy", passing: true },
  pages_unavailable: { ...UNAVAILABLE, title: "Pages unavailable", passing: true },
  database_unavailable: { ...UNAVAILABLE, title: "Database unavailable", passing: true },
  database_full: { ...UNAVAILABLE, title: "Database full", passing: true },
  outcome_unknown: { status: 503, title: "Outcome unknown", passing: true },
  read_only: { status: 503, title: "Read-only", passing: true },
  books_unbalanced: { status: 503, title: "Fund movements suspended", passing: true },
  internal_error: { status: 500, title: "Internal error" },
} as const satisfies Record<string, Problem>;

/** An error code. */
export type ErrorCode = keyof typeof TABLE;

/** The response to each error code. */
export const PROBLEMS: Readonly<Record<ErrorCode, Problem>> = TABLE;

/** All error codes. */
export const ERROR_CODES = Object.keys(PROBLEMS).filter(
  (code): code is ErrorCode => code in PROBLEMS,
);
