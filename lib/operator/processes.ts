import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { divideLimits } from "#lib/base/rate.ts";
import { toSecretChecks } from "#lib/base/seal.ts";
import { requireSecrets, toNeeded } from "#lib/operator/installation-secrets.ts";
import { installation } from "#db/schema/staff.ts";
import { processes } from "#db/schema/processes.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

const HEARTBEAT_MS = 2_000;
/** A crashed process stays listed for a moment, so its successor waits this much longer before it gives up. */
const LISTED_MS = 2_000;
const WAIT_PAUSE_MS = 500;

type Process = typeof processes.$inferSelect;

/** A process that the installation counts as running. */
export interface JoinedProcess {
  /** Ends the heartbeat and removes the process. */
  leave(): Promise<void>;
}

/** A running process lacks the secret that this one would seal with. */
class UnlistedSecret extends Error {}

/**
 * Adds this process to the running ones, with a heartbeat until it leaves, and stores which secret it seals with. Call
 * it before sealing anything.
 * @throws Error with one sentence when this process lacks a secret that is needed, or another one could not open what
 * this one seals.
 */
export async function joinInstallation(db: Db, kind: Process["kind"]): Promise<JoinedProcess> {
  const own = { id: randomUUID(), kind, secretChecks: [...toSecretChecks()] };
  const deadline = performance.now() + timeLimit("serverSilence") + LISTED_MS;
  for (;;) {
    try {
      await inUpkeep(db, (tx) => join(tx, own));
      await beat(db, own);
      return startHeartbeat(db, own);
    } catch (error) {
      if (!(error instanceof UnlistedSecret) || performance.now() > deadline) {
        throw error;
      }
      await sleep(WAIT_PAUSE_MS);
    }
  }
}

/** The row of the installation is locked, so that processes join, and secrets are retired, one after another. */
async function join(tx: Tx, own: Omit<Process, "seenAt">): Promise<void> {
  const [stored] = await tx.select().from(installation).for("update");
  const [seals] = own.secretChecks;
  if (!stored || seals === undefined) {
    throw new Error("There is no installation to join.");
  }
  requireSecrets(stored);
  const needed = toNeeded(stored);
  if (!needed.includes(seals)) {
    await requireListedEverywhere(tx, seals);
  }
  markCommit(tx, sql`exists (select from processes where id = ${own.id})`);
  await tx
    .insert(processes)
    .values(own)
    .onConflictDoUpdate({ target: processes.id, set: { seenAt: sql`excluded.seen_at` } });
  if (seals !== stored.secretCheck) {
    await tx
      .update(installation)
      .set({ secretCheck: seals, earlierSecretChecks: needed.filter((check) => check !== seals) })
      .where(eq(installation.id, stored.id));
  }
}

async function requireListedEverywhere(tx: Tx, seals: string): Promise<void> {
  const lacking = (await findRunning(tx)).filter(
    ({ secretChecks }) => !secretChecks.includes(seals),
  );
  if (lacking.length > 0) {
    throw new UnlistedSecret(
      `The first secret of FLOATDECK_SECRET is not listed by ${describeProcesses(lacking)}, which could not open what it seals: add it to the end of the list there, restart them, and start this one again.`,
    );
  }
}

/** The running processes, by their heartbeats. */
export async function findRunning(db: Db | Tx): Promise<Process[]> {
  return db
    .select()
    .from(processes)
    .where(
      sql`${processes.seenAt} > statement_timestamp() - make_interval(secs => ${timeLimit("serverSilence") / 1_000})`,
    );
}

/** Counts processes for people, such as "2 running servers and 1 running worker". */
export function describeProcesses(running: readonly Pick<Process, "kind">[]): string {
  const counts = Map.groupBy(running, ({ kind }) => kind);
  return [...counts]
    .map(([kind, { length }]) => `${length} running ${kind}${length === 1 ? "" : "s"}`)
    .join(" and ");
}

function startHeartbeat(db: Db, own: Omit<Process, "seenAt">): JoinedProcess {
  let isHeard = true;
  const sayAlive = async () => {
    try {
      await beat(db, own);
      isHeard = true;
    } catch (error) {
      if (isHeard) {
        log.warn({ err: error }, "Could not record that this process is running; retrying.");
      }
      isHeard = false;
    }
  };
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = sayAlive();
  }, HEARTBEAT_MS).unref();
  return {
    leave: async () => {
      clearInterval(timer);
      await beating;
      await db
        .delete(processes)
        .where(eq(processes.id, own.id))
        .catch((error: unknown) => {
          log.warn({ err: error }, "Could not record that this process stops.");
        });
    },
  };
}

/** How many servers run, as an expression; without the given one. */
export function countServers(exceptId: string | null = null): SQL {
  return sql`(
    select count(*) from processes where kind = 'server' and id is distinct from ${exceptId}
      and seen_at > statement_timestamp() - make_interval(secs => ${timeLimit("serverSilence") / 1_000})
  )::int`;
}

/** How many processes send webhooks and mail, as an expression. */
export function countWorkers(): SQL {
  return sql`(
    select count(*) from webhook_workers
    where seen_at > statement_timestamp() - make_interval(secs => ${timeLimit("countedSilence") / 1_000})
  )::int`;
}

/**
 * Records that this process runs, removes dead ones, and learns how many servers divide the limits. A process that was
 * removed as dead joins again, because its secrets may have been retired.
 */
async function beat(db: Db, own: Omit<Process, "seenAt">): Promise<void> {
  const [row] = await db.execute<{ seen: boolean; servers: number }>(sql`
    with removed as (
      delete from processes where id = any(array(
        select id from processes
        where seen_at < statement_timestamp() - make_interval(secs => ${timeLimit("serverSilence") / 1_000}) and id <> ${own.id}
        for update skip locked
      ))
    ), seen as (
      update processes set seen_at = statement_timestamp() where id = ${own.id} returning id
    )
    select exists (select from seen) as seen, ${countServers(own.id)} as servers`);
  divideLimits((row?.servers ?? 0) + (own.kind === "server" ? 1 : 0));
  if (!row?.seen) {
    await inUpkeep(db, (tx) => join(tx, own));
  }
}
