/** What went wrong between us and the database, told by `code` as every error here is. */
export class DatabaseFailure extends Error {
  readonly code: "database_unavailable" | "outcome_unknown";
  readonly detail: string;

  constructor(code: DatabaseFailure["code"], detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, { cause });
    this.name = "DatabaseFailure";
    this.code = code;
    this.detail = detail;
  }
}

/** The SQLSTATE or driver code of an error, which drizzle wraps in one of its own. */
export function databaseCode(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") {
      return at.code;
    }
  }
  return undefined;
}

/**
 * SQLSTATEs after which the same transaction may simply run again: serialization failure, deadlock, and a prepared
 * statement whose table was changed under it (it is prepared anew).
 */
const RETRYABLE = new Set(["40001", "40P01", "0A000"]);

/** Whether the database undid the transaction and asks for another try. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(databaseCode(error) ?? "");
}

/** The driver's own codes, and the system's, for a connection that is not there. */
const CONNECTION_CODE = /^(?:CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|ENOENT)/u;

/** SQLSTATE classes for the same: connection exception, operator intervention, out of connections, cannot start. */
const UNAVAILABLE_STATE = /^(?:08|57|53300|55P03$|25P03$)/u;

/** Whether the database could not be reached, went away, or gave the statement up for want of time. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseCode(error) ?? "";
  return CONNECTION_CODE.test(code) || UNAVAILABLE_STATE.test(code);
}
