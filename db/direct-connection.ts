import { serverLimits } from "./client.ts";
import { databaseCode, UnusableConnection } from "./failures.ts";
import { keepsPreparedStatements, openSession, probeSessions } from "./session-probe.ts";
import type { Probe } from "./session-probe.ts";

/** Distinguishes databases, also in different clusters. */
export const DATABASE_IDENTITY = `
  select oid || ' ' || extract(epoch from pg_postmaster_start_time()) as id
  from pg_database where datname = current_database()`;

/**
 * Requires that each connection is a single PostgreSQL session for its whole lifetime, with the settings it requests.
 * Behind a pooler in transaction mode, session locks stay with the next client, and notifications are lost.
 * @param variable the setting that holds the URL, for the error.
 * @throws UnusableConnection with one sentence.
 */
export async function requireDirectConnection(url: string, variable: string): Promise<void> {
  const probe = await probeThrough(url, variable);
  if (probe.isPooled) {
    throw new UnusableConnection(
      `${variable} leads through a connection pooler in transaction mode, such as PgBouncer, and needs stable sessions. Point it at PostgreSQL itself.`,
    );
  }
  requireSettings(probe, variable);
}

/**
 * Requires a connection that a server can use: to PostgreSQL itself, or through a pooler that keeps the connection's
 * settings and, in transaction mode, its prepared statements.
 * @param variable the setting that holds the URL, for the error.
 * @throws UnusableConnection with one sentence.
 */
export async function requireUsableConnection(
  url: string,
  variable: string,
): Promise<{ isPooled: boolean }> {
  const probe = await probeThrough(url, variable);
  if (probe.isPooled && !(await keepsPreparedStatements(url))) {
    throw new UnusableConnection(
      `${variable} leads through a connection pooler in transaction mode that loses prepared statements, such as PgBouncer before 1.21. Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or point ${variable} at PostgreSQL itself.`,
    );
  }
  requireSettings(probe, variable);
  return { isPooled: probe.isPooled };
}

/** Whether two URLs lead to the same database. */
export async function isSameDatabase(url: string, otherUrl: string): Promise<boolean> {
  const clients = [openSession(url, serverLimits()), openSession(otherUrl, serverLimits())];
  try {
    const ids = await Promise.all(
      clients.map(async (client) => {
        const [row] = await client.unsafe<{ id: string }[]>(DATABASE_IDENTITY);
        return row?.id;
      }),
    );
    return ids[0] === ids[1];
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
  }
}

async function probeThrough(url: string, variable: string): Promise<Probe> {
  try {
    return await probeSessions(url);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const code = databaseCode(error) ?? "";
    if (CERTIFICATE_CODE.test(code)) {
      throw new UnusableConnection(toCertificateSentence(variable, code, message), {
        cause: error,
      });
    }
    if (message.includes(TLS_CUT_SHORT)) {
      throw new UnusableConnection(
        `The sslmode of ${variable} asks for TLS, which the database that it leads to does not offer. Set "ssl = on" and a certificate in its postgresql.conf, or use sslmode=disable if nobody else can reach the network between them.`,
        { cause: error },
      );
    }
    if (code === "08P01" && message.includes("startup parameter")) {
      throw new UnusableConnection(
        `${variable} leads through a connection pooler, such as PgBouncer, that refuses Floatdeck's settings (${message}). ${SEE_POOLER}`,
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * Node's message when the other side continues without TLS or disconnects. PostgreSQL first answers whether it speaks
 * TLS, and here the answer is no.
 */
const TLS_CUT_SHORT = "before secure TLS connection was established";

/** TLS error codes for a certificate that is not accepted. */
const CERTIFICATE_CODE =
  /^(?:ERR_TLS_CERT_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/u;

function toCertificateSentence(variable: string, code: string, message: string): string {
  const refused = `The certificate of the database that ${variable} leads to is refused`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `${refused}: it is for another host (${message}). Connect by a name that it lists, or issue it for this one.`;
  }
  return `${refused} (${code}). sslrootcert must name the certificate of the authority that has signed it.`;
}

const SEE_POOLER =
  'Use PgBouncer 1.21 or newer, configured as in docs/operations.md, "Behind PgBouncer", or point it at PostgreSQL itself.';

const LIMITS = [
  "statement_timeout",
  "idle_in_transaction_session_timeout",
  "default_transaction_isolation",
] as const;

/**
 * Requires that the settings our servers request are in effect. PostgreSQL itself always applies them; a pooler may
 * not.
 */
function requireSettings({ writing, reading }: Probe, variable: string): void {
  const pooler = `${variable} leads through a connection pooler that drops Floatdeck's`;
  const limits = serverLimits();
  const isKept = {
    statement_timeout: isWithin(writing.statementTimeout, limits.statement_timeout),
    idle_in_transaction_session_timeout: isWithin(
      writing.idleTimeout,
      limits.idle_in_transaction_session_timeout,
    ),
    default_transaction_isolation: writing.isolation === limits.default_transaction_isolation,
  };
  const missing = LIMITS.filter((name) => !isKept[name]);
  if (missing.length > 0) {
    const statements = missing.map(
      (name) => `alter role "${writing.role}" set ${name} = '${limits[name]}';`,
    );
    throw new UnusableConnection(
      `${pooler} limits (${missing.join(", ")}). Set them on the role, and let the pooler reconnect: ${statements.join(" ")}`,
    );
  }
  if (writing.timeZone !== "UTC") {
    throw new UnusableConnection(`${pooler} time zone. ${SEE_POOLER}`);
  }
  if (!reading.isReadOnly) {
    throw new UnusableConnection(
      `${pooler} default_transaction_read_only, so that reads could write. Add it to track_extra_parameters of PgBouncer.`,
    );
  }
}

function isWithin(milliseconds: number, limit: number): boolean {
  return milliseconds > 0 && milliseconds <= limit;
}
