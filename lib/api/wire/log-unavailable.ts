import type { Answer } from "#lib/api/wire/answer.ts";
import { log } from "#lib/base/log.ts";
import { databaseCause } from "#db/failures.ts";

const UNAVAILABLE = 503;

/**
 * Logs an answer that is 503, so that whoever got it finds by its request id what the database said. Other answers are not
 * logged here: clients cause them, and the API log has them.
 * @param names the request's id, and whatever else names it.
 * @param thrown what the answer tells; undefined if it was not thrown.
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
