import type { RequestOrigin } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { databaseCause, databaseCode, isDatabaseFailure, toChangeFailure } from "#db/failures.ts";

/**
 * Why a sign-in failed, as the sign-in page hears it: one of our own words, never the text of an error. What is the
 * server's fault is logged.
 */
export function toSignInReason(error: unknown, { id: requestId }: RequestOrigin): string {
  if (error instanceof Error && /^(?:code_required|throttled:[0-9]+)$/u.test(error.message)) {
    return error.message;
  }
  const failure = toChangeFailure(error);
  if (isDatabaseFailure(failure)) {
    const isFull = databaseCode(failure) === "database_full";
    // Whoever does not know whether they were signed in tries again, too.
    const code = isFull ? "database_full" : "database_unavailable";
    log.warn(
      { requestId, code, ...databaseCause(failure) },
      "Somebody could not sign in: the database failed.",
    );
    return code;
  }
  if (isDomainError(error)) {
    return "overloaded";
  }
  log.error({ err: error, requestId }, "A sign-in failed unexpectedly.");
  return "unavailable";
}
