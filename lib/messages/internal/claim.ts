import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Sent } from "#lib/messages/internal/send.ts";
import { toMailDelayMs } from "#lib/messages/internal/mail-schedule.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

/** A message to send now. `number` distinguishes this claim from every other claim of the same message. */
export interface MessageClaim {
  integratorId: string;
  id: string;
  number: number;
  failures: number;
  email: string;
  /** The record that the message is about. Mail clients group messages about the same record. */
  aboutId: string | null;
  /** Encrypted. */
  content: string;
}

/**
 * Claims due messages, the longest overdue first. Messages to people who have been removed in the meantime are
 * withdrawn. A claim expires: another worker then sends the message again, with the same id.
 */
export async function claimMessages(db: Db, room: number): Promise<MessageClaim[]> {
  const rows = await inUpkeep(db, async (tx) => {
    const claimed = await tx.execute<ClaimedRow>(sql`
      update messages m set
        attempts = m.attempts + 1,
        is_claimed = s.removed_at is null,
        due_at = clock_timestamp() + make_interval(secs => ${timeLimit("mailClaim") / 1_000}),
        state = case when s.removed_at is null then 'waiting' else 'withdrawn' end,
        content = case when s.removed_at is null then m.content end
      from (
        select integrator_id, id, staff_id from messages
        where state = 'waiting' and due_at <= statement_timestamp()
        order by due_at limit ${room}
        for no key update skip locked
      ) as due
      left join staff s on s.integrator_id = due.integrator_id and s.id = due.staff_id
      where m.integrator_id = due.integrator_id and m.id = due.id
      returning m.integrator_id, m.id, m.attempts, m.failures, m.email, m.about_id, m.content`);
    const [first] = claimed;
    if (first) {
      markCommit(
        tx,
        sql`exists (select from messages where ${isClaim(first)} and attempts >= ${first.attempts})`,
      );
    }
    return claimed;
  });
  return rows.flatMap((row) =>
    row.content === null
      ? []
      : [
          {
            integratorId: row.integrator_id,
            id: row.id,
            number: row.attempts,
            failures: row.failures,
            email: row.email,
            aboutId: row.about_id,
            content: row.content,
          },
        ],
  );
}

type ClaimedRow = {
  integrator_id: string;
  id: string;
  attempts: number;
  failures: number;
  email: string;
  about_id: string | null;
  content: string | null;
};

function isClaim({ integrator_id: integratorId, id }: ClaimedRow): SQL {
  return sql`integrator_id = ${integratorId} and id = ${id}`;
}

/** Records the result of an attempt, unless its claim has expired and another worker has the message. */
export async function recordSent(db: Db, claim: MessageClaim, sent: Sent): Promise<void> {
  await inUpkeep(db, async (tx) => {
    const isOwn = sql`integrator_id = ${claim.integratorId} and id = ${claim.id} and attempts = ${claim.number} and state = 'waiting'`;
    // After a later claim, this holds even if nothing was written. That is harmless: only the later attempt counts.
    markCommit(
      tx,
      sql`not exists (select from messages where ${isOwn} and failures = ${claim.failures})`,
    );
    if (sent.failure === null) {
      await tx.execute(sql`
        update messages set state = 'sent', is_claimed = false, sent_at = clock_timestamp(), content = null,
          last_failure = null, last_answer = null
        where ${isOwn}`);
      // The server answers again, so messages that failed because it was unreachable need not wait any longer.
      await tx.execute(sql`
        update messages set due_at = clock_timestamp()
        where state = 'waiting' and last_failure = 'unreachable' and not is_claimed and due_at > clock_timestamp()`);
      return;
    }
    const failures = claim.failures + 1;
    const delayMs = sent.failure === "refused" ? null : toMailDelayMs(failures, Math.random());
    await tx.execute(sql`
      update messages set failures = ${failures}, is_claimed = false, last_failure = ${sent.failure},
        last_answer = ${sent.answer},
        state = ${delayMs === null ? "failed" : "waiting"},
        content = case when ${delayMs !== null} then content end,
        due_at = clock_timestamp() + make_interval(secs => ${(delayMs ?? 0) / 1_000})
      where ${isOwn}`);
  });
}

/**
 * Ends messages that wait for a mail server although none is configured. A sandbox keeps their texts for its outbox.
 */
export async function keepUnsent(db: Db, keepsTexts: boolean): Promise<void> {
  await db.execute(sql`
    update messages set state = 'kept', content = case when ${keepsTexts} then content end
    where state = 'waiting'`);
}
