import type { RequestOrigin } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { databaseCause, toChangeFailure } from "#db/failures.ts";

/**
 * The reason of a failed sign-in for the sign-in page: one of our own words, never the text of an error. Failures of
 * the server are logged.
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
  // A person who does not know whether they were signed in should try again, too.
  return code === "database_full" ? code : "database_unavailable";
}
