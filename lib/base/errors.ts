import { ERROR_CODES } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";

/** Maps each faulty member of the request, spelled as on the wire, to sentences that say what is wrong with it. */
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
  approval_not_found: "There is no such approval.",
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
