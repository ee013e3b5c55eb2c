import { PROBLEMS } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import type { MemberErrors } from "#lib/base/errors.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";

/** A refusal about to be answered. */
export interface Refusal {
  code: ErrorCode;
  detail: string;
  errors: MemberErrors | undefined;
}

/**
 * Converts a thrown value to a refusal. Anything other than a refusal is logged, and the answer reveals only its
 * request id.
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
 * Whether the response to this refusal is stored under the request's key: business refusals (409, 422) are. Validation
 * errors are not, because they are found before the key is looked at.
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
  const { status, title, message = title } = PROBLEMS[refusal.code];
  return {
    type: `/docs/errors#${refusal.code}`,
    title,
    status,
    detail: refusal.detail,
    instance: at.instance,
    code: refusal.code,
    request_id: at.requestId,
    message,
    ...toErrors(refusal),
  };
}

function toErrors(refusal: Refusal): { errors?: Record<string, string | readonly string[]> } {
  if (refusal.code === "email_already_registered") {
    // For this code, existing clients expect a sentence in `errors`; for other codes, lists.
    return { errors: { message: refusal.detail } };
  }
  const { member } = PROBLEMS[refusal.code];
  const errors = refusal.errors ?? (member && { [member]: [refusal.detail] });
  return errors ? { errors: { ...errors } } : {};
}
