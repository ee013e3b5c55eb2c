/** A failure between us and the database, identified by `code` like every error here. */
export class DatabaseFailure extends Error {
  readonly code: "database_unavailable" | "database_full" | "outcome_unknown" | "read_only";
  readonly detail: string;

  constructor(code: DatabaseFailure["code"], detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, { cause });
    this.name = "DatabaseFailure";
    this.code = code;
    this.detail = detail;
  }
}

/** A URL of a database that this program cannot work with. Its message is one sentence that says what to do. */
export class UnusableConnection extends Error {}

/** The SQLSTATE or driver code of an error, which drizzle wraps in its own. */
export function databaseCode(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof UnusableConnection) {
      return undefined;
    }
    if ("code" in at && typeof at.code === "string") {
      return at.code;
    }
  }
  return undefined;
}

/** What a database or its driver says at the root of a failure. */
interface DatabaseCause {
  /** Undefined when the cause is not an answer of the database but a missing one. */
  sqlstate: string | undefined;
  reason: string;
}

/**
 * What the database or its driver said that led to an error; undefined when it said nothing, as in a timeout of ours.
 */
export function databaseCause(error: unknown): DatabaseCause | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = "code" in at ? String(at.code) : "";
    const isAnswer = isSqlState(code);
    if (isAnswer || isConnectionCode(code)) {
      return { sqlstate: isAnswer ? code : undefined, reason: at.message || code };
    }
  }
  return undefined;
}

/**
 * What a database error means for the caller:
 * - `unavailable`: the database cannot do this now, for any reason. The caller may retry later.
 * - `contended`: another transaction was in the way. Run it again; if it is still contended, it is
 * unavailable.
 * - `stale`: the connection holds a statement that the database no longer knows or accepts. Run it again, and
 * the driver prepares it anew; if it is still stale, it is a defect.
 * - `defect`: a bug of ours or damage in the database. Retrying changes nothing.
 */
export type FailureKind = "unavailable" | "contended" | "stale" | "defect";

/**
 * Classes of SQLSTATE (PostgreSQL's Appendix A) that describe the database's condition. In every other class, the
 * statement is at fault: a `defect`.
 */
const CLASS_KINDS: Readonly<Record<string, FailureKind>> = {
  // Connection exception.
  "08": "unavailable",
  // Invalid authorization: the operator decides whom the database admits, for example on a node just
  // promoted.
  "28": "unavailable",
  // Invalid catalog name: a node on which the database does not exist yet.
  "3D": "unavailable",
  // Insufficient resources: disk full, out of memory, too many connections.
  "53": "unavailable",
  // Operator intervention: canceled by a timeout, shut down, crashed, starting.
  "57": "unavailable",
  // System error in the machine under the database, such as a failing disk.
  "58": "unavailable",
  // Snapshot too old.
  "72": "contended",
};

/** Individual SQLSTATEs that differ from their class. */
const STATE_KINDS: Readonly<Record<string, FailureKind>> = {
  // feature_not_supported: "cached plan must not change result type", when a table changed under a prepared statement.
  "0A000": "stale",
  // read_only_sql_transaction: a standby, or a primary that its operator made read-only.
  "25006": "unavailable",
  // idle_in_transaction_session_timeout, transaction_timeout.
  "25P03": "unavailable",
  "25P04": "unavailable",
  // invalid_sql_statement_name: a pooler swapped the connection behind ours.
  "26000": "stale",
  // transaction_rollback, serialization_failure (also a standby's conflict with recovery), deadlock_detected.
  "40000": "contended",
  "40001": "contended",
  "40P01": "contended",
  // statement_completion_unknown.
  "40003": "unavailable",
  // insufficient_privilege: the operator decides what the server's role may do.
  "42501": "unavailable",
  // lock_not_available.
  "55P03": "unavailable",
};

/** Codes of the driver and the operating system for a connection that is gone or finds nothing to connect to. */
const ABSENT_CODE =
  /^(?:CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EADDRNOTAVAIL|ENOTFOUND|EAI_|ENOENT|EAGAIN)/u;

/**
 * Further codes of the driver, the operating system, and TLS, for a connection that one of the two sides does not
 * allow.
 */
const REFUSED_CODE =
  /^(?:SASL_|EMFILE|ENFILE|EACCES|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/u;

/** admin_shutdown, crash_shutdown, cannot_connect_now. */
const STARTING: ReadonlySet<string> = new Set(["57P01", "57P02", "57P03"]);

const SQLSTATE = /^[0-9A-Z]{5}$/u;

/** disk_full. */
const DISK_FULL = "53100";

/** What a SQLSTATE, or a code of the driver or the operating system, means. */
export function classify(code: string): FailureKind {
  if (isConnectionCode(code)) {
    return "unavailable";
  }
  if (!isSqlState(code)) {
    return "defect";
  }
  return STATE_KINDS[code] ?? CLASS_KINDS[code.slice(0, 2)] ?? "defect";
}

/** Whether a code means that there is no connection, as opposed to an answer from the database. */
function isConnectionCode(code: string): boolean {
  return ABSENT_CODE.test(code) || REFUSED_CODE.test(code);
}

/** Whether a code is a SQLSTATE: some codes of the operating system have five characters, too. */
function isSqlState(code: string): boolean {
  return SQLSTATE.test(code) && !isConnectionCode(code);
}

function kindOf(error: unknown): FailureKind {
  return classify(databaseCode(error) ?? "");
}

/** Whether the database rolled the transaction back, so that it may simply run again. */
export function isRetryable(error: unknown): boolean {
  const kind = kindOf(error);
  return kind === "contended" || kind === "stale";
}

/** Whether the database was unreachable, went away, or could not serve the request now. */
export function isUnavailable(error: unknown): boolean {
  const kind = kindOf(error);
  return kind === "unavailable" || kind === "contended";
}

/**
 * Whether nothing answered, or a PostgreSQL that is starting or stopping. A rejected password, in contrast, is an
 * answer.
 */
export function isAbsent(error: unknown): boolean {
  const code = databaseCode(error) ?? "";
  return ABSENT_CODE.test(code) || STARTING.has(code);
}

/**
 * Whether an error after COMMIT leaves the outcome unknown. A violated constraint or a serialization failure
 * proves that the database rolled back; a lost connection, a full disk, or an internal error may have
 * occurred after the commit was written.
 */
export function isUncertain(error: unknown): boolean {
  const code = databaseCode(error) ?? "";
  return classify(code) === "unavailable" || (SQLSTATE.test(code) && code.startsWith("XX"));
}

/** Whether the database has no room left on its disk. */
export function isDiskFull(error: unknown): boolean {
  return databaseCode(error) === DISK_FULL;
}

/**
 * Like `toFailure`, for a change. A full disk has a code of its own, because only reads succeed until there is room
 * again.
 */
export function toChangeFailure(error: unknown): unknown {
  if (!isDiskFull(error)) {
    return toFailure(error);
  }
  return new DatabaseFailure(
    "database_full",
    "The database has no room left. Nothing was changed, and reads go on. Try again later.",
    error,
  );
}

/** The error for callers: a `DatabaseFailure` when the database caused it and retrying may help. */
export function toFailure(error: unknown): unknown {
  if (error instanceof DatabaseFailure || !isUnavailable(error)) {
    return error;
  }
  return new DatabaseFailure(
    "database_unavailable",
    "The database cannot do this right now. Nothing was changed; try again.",
    error,
  );
}

const FAILURE_CODES: ReadonlySet<unknown> = new Set<DatabaseFailure["code"]>([
  "database_unavailable",
  "database_full",
  "outcome_unknown",
  "read_only",
]);

/** Whether an error is a `DatabaseFailure`, whichever copy of this module created it. */
export function isDatabaseFailure(error: unknown): boolean {
  return FAILURE_CODES.has(databaseCode(error));
}
