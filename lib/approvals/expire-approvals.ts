import { and, eq, sql } from "drizzle-orm";
import { recordOfApproval } from "#lib/approvals/internal/approval-records.ts";
import { EXPIRY } from "#lib/base/actor.ts";
import { log } from "#lib/base/log.ts";
import { readMoment } from "#lib/base/moment.ts";
import { approvals, IS_WAITING } from "#db/schema/approvals.ts";
import { NOW } from "#db/schema/columns.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

const BATCH_ROWS = 100;

const IS_DUE = sql`${IS_WAITING} and expires_at <= statement_timestamp()`;

/**
 * Ends the approvals that nobody decided in time. One that cannot be ended is logged, does not block the others, and is
 * retried by the next call. Any number of processes may call it.
 */
export async function expireApprovals(db: Db): Promise<void> {
  const tried: string[] = [];
  let rows: Due[];
  do {
    rows = await readDue(db, tried);
    for (const { integrator_id: integratorId, id } of rows) {
      await expire(db, integratorId, id).catch((error: unknown) => {
        log.error({ err: error, integratorId, id }, "An approval could not expire.");
      });
      tried.push(id);
    }
  } while (rows.length === BATCH_ROWS);
}

type Due = { integrator_id: string; id: string };

/** The first approvals that are due, oldest first, without those already tried. */
async function readDue(db: Db, tried: readonly string[]): Promise<Due[]> {
  return inTime(() =>
    db.execute<Due>(sql`
      select integrator_id, id from approvals where ${IS_DUE} and id <> all (${sql.param(tried)}::uuid[])
      order by expires_at limit ${BATCH_ROWS}`),
  );
}

/** Each process waits for the row, and then finds it due only if no other has ended it. */
async function expire(db: Db, integratorId: string, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [expired] = await tx
      .update(approvals)
      .set({ status: "expired", decidedAt: NOW })
      .where(and(eq(approvals.integratorId, integratorId), eq(approvals.id, id), IS_DUE))
      .returning();
    if (!expired) {
      return;
    }
    const request = { id: (await readMoment(tx)).newId(), address: null, agent: null };
    const ctx = { tx, actor: { integratorId, ref: EXPIRY }, request };
    await recordOfApproval(ctx, expired, "approval.expired");
  });
}
