import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { newId } from "#lib/base/ids.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { signInFailures, staff } from "#db/schema/staff.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** Failures of one name from one source without a wait. Each further failure doubles the wait, up to its bound. */
const FREE_FAILURES = 5;
const DELAY_MAX_S = 900;
/** How long each failure of a name counts against its source. */
const NAME_MEMORY_HOURS = 24;

/** How many failures one source may cause within this time, for any names. */
const SOURCE_FAILURES_MAX = 20;
const SOURCE_MINUTES = 10;

/** How many failures of one name all strangers together may cause within this time. */
const STRANGER_FAILURES_MAX = 60;
const STRANGER_MINUTES = 60;

/**
 * The source of an attempt. Each source has a budget of its own, so that one source's failures delay no other: a
 * network, which is a stranger until the name's holder has signed in from it; a browser with which the holder has
 * signed in before; or a session, in which a person confirms who they are.
 */
export type AttemptSource =
  | { kind: "network"; address: string | null; holder: Holder | undefined }
  | { kind: "browser" | "session"; id: string };

interface Holder {
  integratorId: string;
  id: string;
}

/** An attempt that may proceed. It counts as failed until it is forgiven. */
export interface AdmittedAttempt {
  id: string;
  nameHash: string;
  source: string;
}

/** An attempt that must wait this many whole seconds after too many failures. */
export interface ThrottledAttempt {
  waitS: number;
}

/**
 * Admits an attempt, or returns how long it must wait. Unknown names count like known ones, so that waiting reveals
 * nothing. Attempts for one name, and from one source, are counted one after the other: a hundred at once are not a
 * hundred guesses.
 */
export async function admitAttempt(
  db: Db,
  attempt: { email: string; source: AttemptSource },
): Promise<AdmittedAttempt | ThrottledAttempt> {
  const nameHash = hashName(attempt.email);
  const source = toText(attempt.source);
  return inUpkeep(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${nameHash}, 1))`);
    // Always locked after the name, which prevents deadlocks.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${source}, 2))`);
    const isStranger = await isFromStranger(tx, attempt.source);
    const waitS = await readWaitS(tx, { nameHash, source, isStranger });
    if (waitS > 0) {
      return { waitS };
    }
    const id = newId();
    markCommit(tx, sql`exists (select from sign_in_failures where id = ${id})`);
    await tx.insert(signInFailures).values({ id, nameHash, source, isStranger });
    return { id, nameHash, source };
  });
}

function toText(source: AttemptSource): string {
  return source.kind === "network" ? toNetwork(source.address) : `${source.kind} ${source.id}`;
}

/** Whether an attempt comes from a network from which the name's holder has not signed in lately. */
async function isFromStranger(tx: Tx, source: AttemptSource): Promise<boolean> {
  if (source.kind !== "network") {
    return false;
  }
  // Asked for an unknown name too, so that it takes as long as a known one.
  const { integratorId = null, id = null } = source.holder ?? {};
  const known = await tx.execute(sql`
    select from staff_sessions
    where integrator_id = ${integratorId} and staff_id = ${id} and network = ${toText(source)}
    limit 1`);
  return known.length === 0;
}

/**
 * The seconds until a failure no longer counts toward a limit. Once the oldest failure that fills the limit no longer
 * counts, the next attempt is admitted.
 */
function expiryS(minutes: number): SQL {
  return sql`extract(epoch from created_at + make_interval(mins => ${minutes}::int) - clock_timestamp())::float8`;
}

/** Whole seconds until this source may try this name; 0 when it may now. */
async function readWaitS(
  tx: Tx,
  { nameHash, source, isStranger }: { nameHash: string; source: string; isStranger: boolean },
): Promise<number> {
  const [row] = await tx.execute<{
    failures: number;
    since_s: number | null;
    source_wait_s: number | null;
    stranger_wait_s: number | null;
  }>(sql`
    select
      (select count(*)::int from sign_in_failures
       where name_hash = ${nameHash} and address = ${source}
         and created_at > statement_timestamp() - make_interval(hours => ${NAME_MEMORY_HOURS})) as failures,
      (select extract(epoch from clock_timestamp() - max(created_at))::float8 from sign_in_failures
       where name_hash = ${nameHash} and address = ${source}) as since_s,
      (select ${expiryS(SOURCE_MINUTES)} from sign_in_failures where address = ${source}
       order by created_at desc offset ${SOURCE_FAILURES_MAX - 1} limit 1) as source_wait_s,
      (select ${expiryS(STRANGER_MINUTES)} from sign_in_failures
       where ${isStranger} and name_hash = ${nameHash} and is_stranger
       order by created_at desc offset ${STRANGER_FAILURES_MAX - 1} limit 1) as stranger_wait_s`);
  if (!row) {
    throw new Error("The failed sign-ins could not be counted.");
  }
  return Math.max(
    0,
    Math.ceil(toDelayS(row.failures) - (row.since_s ?? 0)),
    Math.ceil(row.source_wait_s ?? 0),
    Math.ceil(row.stranger_wait_s ?? 0),
  );
}

/** The wait in seconds after this many failures: 1, 2, 4 … 900 from the fifth on. */
export function toDelayS(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(DELAY_MAX_S, 2 ** (failures - FREE_FAILURES));
}

/** Forgives one attempt whose password was right, whatever becomes of the request. */
export async function forgiveAttempt(db: Db, attempt: AdmittedAttempt): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.id, attempt.id));
}

/**
 * Forgets a source's failures of a name after its person proves their identity; what other sources tried still
 * counts. If another person has the same email, only this attempt is forgiven: otherwise a person who signed up with
 * another's email could reset the count and keep guessing.
 */
export async function forgetFailures(
  tx: Tx,
  attempt: AdmittedAttempt,
  { integratorId, email }: { integratorId: string; email: string },
): Promise<void> {
  await tx.delete(signInFailures).where(
    and(
      eq(signInFailures.nameHash, attempt.nameHash),
      eq(signInFailures.source, attempt.source),
      sql`(${signInFailures.id} = ${attempt.id} or not exists (
        select from ${staff}
        where lower(${staff.email}) = ${email.toLowerCase()} and ${staff.removedAt} is null
          and ${staff.integratorId} <> ${integratorId}))`,
    ),
  );
}

function hashName(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
}
