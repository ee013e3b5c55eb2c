import type { RequestOrigin } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { databaseCause, toChangeFailure } from "#db/failures.ts";

/**
 * Why a sign-in failed, as the sign-in page hears it: one of our own words, never the text of an error. What is the
 * server's fault is logged.
 */
export function toSignInReason(error: unknown, { id: requestId }: RequestOrigin): string {
  if (error instanceof Error && /^(?:code_required|throttled:[0-9]+)$/u.test(error.message)) {
    return error.message;
  }
  const failure = toChangeFailure(error);
  if (!isDomainError(failure)) {
    log.error({ err: error, requestId }, "A sign-in failed unexpectedly.");
    return "unavailable";
  }
  const { code, detail } = failure;
  if (code === "overloaded") {
    return code;
  }
  log.warn(
    { requestId, code, detail, ...databaseCause(failure) },
    "Somebody could not sign in: the database failed.",
  );
  // Whoever does not know whether they were signed in tries again, too.
  return code === "database_full" ? code : "database_unavailable";
}
