import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { newId } from "#lib/base/ids.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { signInFailures, staff } from "#db/schema/staff.ts";
import { inTransaction, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** Failures of one name without a wait. From then on each failure doubles the wait, up to its bound. */
const FREE_FAILURES = 5;
const DELAY_MAX_S = 900;
/** A name's failures are forgotten after this long without a new one. */
const NAME_MEMORY_HOURS = 24;

/** How many failures one address (in IPv6, one network) may cause within this time, for any names. */
const ADDRESS_FAILURES_MAX = 20;
const ADDRESS_MINUTES = 10;

/** A sign-in attempt that may proceed. It counts as failed until it is forgiven. */
export interface AdmittedAttempt {
  id: string;
  nameHash: string;
}

/** A sign-in attempt that must wait this many whole seconds after too many failures. */
export interface ThrottledAttempt {
  waitS: number;
}

/**
 * Admits a sign-in attempt, or returns how long it must wait. Unknown names count like known ones, so that
 * waiting reveals nothing. Attempts for one name, and from one address, are counted one after the other: a
 * hundred at once are not a hundred guesses.
 */
export async function admitAttempt(
  db: Db,
  attempt: { email: string; address: string },
): Promise<AdmittedAttempt | ThrottledAttempt> {
  const nameHash = hashName(attempt.email);
  const address = toNetwork(attempt.address);
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${nameHash}, 1))`);
    // Always locked after the name, which prevents deadlocks.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${address}, 2))`);
    const waitS = await readWaitS(tx, nameHash, address);
    if (waitS > 0) {
      return { waitS };
    }
    const id = newId();
    markCommit(tx, sql`exists (select from sign_in_failures where id = ${id})`);
    await tx.insert(signInFailures).values({ id, nameHash, address });
    return { id, nameHash };
  });
}

/** Whole seconds until this address may try this name; 0 when it may now. */
async function readWaitS(tx: Tx, nameHash: string, address: string): Promise<number> {
  const [row] = await tx.execute<{
    failures: number;
    since_s: number | null;
    address_wait_s: number | null;
  }>(sql`
    select
      (select count(*)::int from sign_in_failures
       where name_hash = ${nameHash}
         and created_at > statement_timestamp() - make_interval(hours => ${NAME_MEMORY_HOURS})) as failures,
      (select extract(epoch from clock_timestamp() - max(created_at))::float8 from sign_in_failures
       where name_hash = ${nameHash}) as since_s,
      -- The oldest of the failures that fill the limit: when it expires, the next attempt is admitted.
      (select extract(epoch from created_at + make_interval(mins => ${ADDRESS_MINUTES}) - clock_timestamp())::float8
       from sign_in_failures where address = ${address}
       order by created_at desc offset ${ADDRESS_FAILURES_MAX - 1} limit 1) as address_wait_s`);
  if (!row) {
    throw new Error("The failed sign-ins could not be counted.");
  }
  const nameWaitS = toDelayS(row.failures) - (row.since_s ?? 0);
  return Math.max(0, Math.ceil(nameWaitS), Math.ceil(row.address_wait_s ?? 0));
}

/** The wait in seconds after this many failures: 1, 2, 4 … 900 from the fifth on. */
export function toDelayS(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(DELAY_MAX_S, 2 ** (failures - FREE_FAILURES));
}

/** Forgives one attempt: its password was right, and nothing else has been decided yet. */
export async function forgiveAttempt(db: Db, attempt: AdmittedAttempt): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.id, attempt.id));
}

/**
 * Forgets all failures of a name after its person proves their identity. If another person has the same
 * email, only this attempt is forgiven: otherwise a person who signed up with another's email could reset the
 * count and keep guessing.
 */
export async function forgetFailures(
  tx: Tx,
  attempt: AdmittedAttempt,
  { integratorId, email }: { integratorId: string; email: string },
): Promise<void> {
  await tx.delete(signInFailures).where(
    and(
      eq(signInFailures.nameHash, attempt.nameHash),
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
