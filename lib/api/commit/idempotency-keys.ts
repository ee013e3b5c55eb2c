import { sql } from "drizzle-orm";
import { toReplayedAnswer } from "#lib/api/wire/answer.ts";
import type { Remembered, ReplayKey, ReplayStore, SavedAnswer } from "#lib/api/commit/store.ts";
import { DomainError } from "#lib/base/errors.ts";
import { seal, SEALED_PREFIX, unseal } from "#lib/base/seal.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** An `Idempotency-Key` of one integrator, whose id is the scope. */
export interface IdempotencyKey extends ReplayKey {
  /** The id of the operation it belongs to. */
  operation: string;
  /** The answer holds a secret and is stored encrypted. */
  sealed: boolean;
  /** Whether the caller may see secrets that were shown to others. */
  mayReveal: boolean;
}

/**
 * Idempotency keys, scoped to their integrator. Answers are kept for 30 days; keys that moved funds
 * are kept forever.
 */
export const idempotencyKeys: ReplayStore<IdempotencyKey> = {
  claim: claimKeys,
  save: saveAnswers,
  reused: () =>
    new DomainError(
      "idempotency_key_reused",
      "This idempotency key belongs to another request. Use a new key for a new request.",
    ),
};

async function claimKeys(
  tx: Tx,
  keys: readonly IdempotencyKey[],
): Promise<ReadonlyMap<string, Remembered>> {
  const integratorId = keys[0]?.scope ?? "";
  const names = keys.map(({ name }) => name).toSorted();
  const [claims, rows] = await pipeline([
    lockKeys(tx, integratorId, names),
    // A separate statement: its snapshot must be taken after the locks.
    findAnswers(tx, integratorId, names),
  ]);
  const remembered = new Map<string, Remembered>(
    claims.map(({ key, free }) => [key, { state: free ? "free" : "busy" }]),
  );
  const asked = new Map(keys.map((key) => [key.name, key]));
  for (const row of rows) {
    const key = asked.get(row.key);
    if (key && remembered.get(row.key)?.state === "free") {
      remembered.set(row.key, toRemembered(key, row));
    }
  }
  return remembered;
}

async function lockKeys(tx: Tx, integratorId: string, keys: readonly string[]) {
  return tx.execute<{ key: string; free: boolean }>(sql`
    select key, pg_try_advisory_xact_lock(hashtextextended(${integratorId} || ' ' || key, 0)) as free
    from unnest(${sql.param(keys)}::text[]) as key`);
}

async function findAnswers(tx: Tx, integratorId: string, keys: readonly string[]) {
  return tx.execute<AnswerRow>(sql`
    select requested.key, kept.fingerprint, kept.status, kept.content_type, kept.body, kept.recipient_id
    from unnest(${sql.param(keys)}::text[]) as requested (key)
    left join lateral (
      select * from idempotent_requests where integrator_id = ${integratorId} and key = requested.key offset 0
    ) kept on true
    left join lateral (
      select id from transfers where integrator_id = ${integratorId} and idempotency_key = requested.key offset 0
    ) moved on true
    where kept.key is not null or moved.id is not null`);
}

type AnswerRow = {
  key: string;
  fingerprint: string | null;
  status: number | null;
  content_type: string | null;
  body: string | null;
  recipient_id: string | null;
};

function toRemembered(key: IdempotencyKey, row: AnswerRow): Remembered {
  if (row.fingerprint === null || row.status === null) {
    return { state: "expired" };
  }
  if (row.body === null) {
    return { state: "erased" };
  }
  if (isSealed(row.body) && !key.mayReveal && row.recipient_id !== key.recipientId) {
    return { state: "withheld" };
  }
  return {
    state: "answered",
    fingerprint: row.fingerprint,
    answer: toReplayedAnswer({
      status: row.status,
      contentType: row.content_type ?? "application/json; charset=utf-8",
      body: openBody(key.scope, row.body),
    }),
  };
}

/** Whether a stored body holds a secret. */
export function isSealed(body: string): boolean {
  return body.startsWith(SEALED_PREFIX);
}

function openBody(integratorId: string, body: string): string {
  return isSealed(body)
    ? unseal(body.slice(SEALED_PREFIX.length), "kept answer", integratorId)
    : body;
}

function toBody({ key, answer }: SavedAnswer<IdempotencyKey>): string {
  return key.sealed
    ? `${SEALED_PREFIX}${seal(answer.body, "kept answer", key.scope)}`
    : answer.body;
}

async function saveAnswers(tx: Tx, answers: readonly SavedAnswer<IdempotencyKey>[]): Promise<void> {
  if (answers.length === 0) {
    return;
  }
  const sorted = answers.toSorted((a, b) => (a.key.name < b.key.name ? -1 : 1));
  const [first] = sorted;
  markCommit(
    tx,
    sql`exists (select from idempotent_requests where integrator_id = ${first?.key.scope}
      and key = ${first?.key.name} and request_id = ${first?.requestId})`,
  );
  await tx.execute(
    insertRows("idempotent_requests", sorted, {
      integrator_id: ["uuid", ({ key }) => key.scope],
      key: ["text", ({ key }) => key.name],
      fingerprint: ["text", ({ key }) => key.fingerprint],
      operation: ["text", ({ key }) => key.operation],
      status: ["smallint", ({ answer }) => answer.status],
      content_type: ["text", ({ answer }) => answer.contentType],
      body: ["text", toBody],
      recipient_id: ["uuid", ({ key }) => key.recipientId ?? null],
      request_id: ["text", ({ requestId }) => requestId],
    }),
  );
}
