import type { Answer } from "#lib/api/wire/answer.ts";
import { log } from "#lib/base/log.ts";
import { databaseCause } from "#db/failures.ts";

const UNAVAILABLE = 503;

/**
 * Logs a 503 response, so that its request id leads to the database's error. Other refusals are not logged here:
 * clients cause them, and the API log records them.
 * @param names the request's id, and any other names of it.
 * @param thrown the error behind the answer; undefined if nothing was thrown.
 */
export function logUnavailable(
  { status, code, detail }: Pick<Answer, "status" | "code" | "detail">,
  names: { requestId: string; operation?: string | null; path: string },
  thrown: unknown,
): void {
  if (status === UNAVAILABLE) {
    log.warn({ ...names, code, detail, ...databaseCause(thrown) }, "A request was answered 503.");
  }
}
