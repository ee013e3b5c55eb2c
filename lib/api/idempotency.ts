import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Answer } from "#lib/api/answer.ts";
import { DomainError } from "#lib/errors.ts";
import { seal, unseal } from "#lib/seal.ts";
import { together } from "#db/together.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** A request that may come again under the same key. */
export interface KeyedRequest {
  key: string;
  /** Method, path and body in one hash: the same key with another one is a mistake of the caller. */
  fingerprint: string;
  /** Its answer is nobody's to read in the database, and is kept sealed. */
  sealed?: boolean | undefined;
}

/** What became of a key: somebody else works under it, it has an answer, or it is this transaction's now. */
export type KeyClaim =
  | { state: "busy" }
  | { state: "answered"; answer: Answer }
  | { state: "free" };

const KEY = /^[\u0021-\u007e]{1,255}$/u;

/**
 * The key of an `Idempotency-Key` header, bare or in quotes; undefined when there is none.
 * @throws DomainError `idempotency_key_malformed`.
 */
export function readIdempotencyKey(request: Request): string | undefined {
  const header = request.headers.get("idempotency-key");
  if (header === null) {
    return undefined;
  }
  const key = /^"(?<quoted>.*)"$/u.exec(header)?.groups?.["quoted"] ?? header;
  if (!KEY.test(key)) {
    throw new DomainError(
      "idempotency_key_malformed",
      "Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in quotes.",
    );
  }
  return key;
}

export function toFingerprint(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method}\n${path}\n`).update(body).digest("hex");
}

/**
 * Claims keys of one integrator for this transaction, without ever waiting for one, and looks up what is answered
 * already. The claim ends with the transaction. Nothing is thrown here: what is wrong with one key of a batch is that
 * key's own answer, see `requireUsable`.
 */
export async function claimKeys(
  tx: Tx,
  integratorId: string,
  requests: readonly KeyedRequest[],
): Promise<Map<string, StoredKey>> {
  const keys = requests.map(({ key }) => key).toSorted();
  const [claims, answers] = await together([
    claim(tx, integratorId, keys),
    // A statement of its own: its snapshot must be younger than the locks.
    findAnswers(tx, integratorId, keys),
  ]);
  const stored = new Map<string, StoredKey>(
    claims.map(({ key, free }) => [key, { state: free ? "free" : "busy" }]),
  );
  for (const row of answers) {
    if (stored.get(row.key)?.state === "free") {
      stored.set(row.key, toStored(integratorId, row));
    }
  }
  return stored;
}

async function claim(tx: Tx, integratorId: string, keys: readonly string[]) {
  return tx.execute<{ key: string; free: boolean }>(sql`
    select key, pg_try_advisory_xact_lock(hashtextextended(${integratorId} || ' ' || key, 0)) as free
    from unnest(${sql.param(keys)}::text[]) as key`);
}

async function findAnswers(tx: Tx, integratorId: string, keys: readonly string[]) {
  return tx.execute<StoredRow>(sql`
    select asked.key, kept.fingerprint, kept.status, kept.content_type, kept.body
    from unnest(${sql.param(keys)}::text[]) as asked (key)
    left join lateral (
      select * from idempotent_requests where integrator_id = ${integratorId} and key = asked.key offset 0
    ) kept on true
    left join lateral (
      select id from transfers where integrator_id = ${integratorId} and idempotency_key = asked.key offset 0
    ) moved on true
    where kept.key is not null or moved.id is not null`);
}

type StoredRow = {
  key: string;
  fingerprint: string | null;
  status: number | null;
  content_type: string | null;
  body: string | null;
};

export type StoredKey =
  | { state: "busy" }
  | { state: "free" }
  /** Its answer is gone after thirty days, but the transfer it made still carries it. */
  | { state: "expired" }
  | { state: "answered"; fingerprint: string; answer: Answer };

/** What a sealed body begins with; no JSON does. */
const SEALED = "sealed ";

function toBody(integratorId: string, kept: string): string {
  return kept.startsWith(SEALED)
    ? unseal(kept.slice(SEALED.length), "kept answer", integratorId)
    : kept;
}

function toStored(integratorId: string, row: StoredRow): StoredKey {
  if (row.fingerprint === null || row.status === null || row.body === null) {
    return { state: "expired" };
  }
  return {
    state: "answered",
    fingerprint: row.fingerprint,
    answer: {
      status: row.status,
      contentType: row.content_type ?? "application/json; charset=utf-8",
      body: toBody(integratorId, row.body),
      code: null,
      detail: null,
      replayed: true,
      headers: {},
    },
  };
}

/**
 * What to do under a key.
 * @throws DomainError `idempotency_key_reused`, `idempotency_key_expired`.
 */
export function requireUsable(stored: StoredKey | undefined, request: KeyedRequest): KeyClaim {
  if (!stored || stored.state === "busy") {
    return { state: "busy" };
  }
  if (stored.state === "free") {
    return stored;
  }
  if (stored.state === "expired") {
    throw new DomainError(
      "idempotency_key_expired",
      "This idempotency key has moved money before, and its answer is no longer kept. Use a new key.",
    );
  }
  requireSameRequest(stored.fingerprint, request);
  return { state: "answered", answer: stored.answer };
}

/** @throws DomainError `idempotency_key_reused`. */
export function requireSameRequest(fingerprint: string, request: KeyedRequest): void {
  if (fingerprint !== request.fingerprint) {
    throw new DomainError(
      "idempotency_key_reused",
      "This idempotency key belongs to another request. Use a new key for a new request.",
    );
  }
}

/** Keeps answers in the transaction of their effects, one statement whatever their number. */
export async function storeAnswers(
  tx: Tx,
  integratorId: string,
  rows: readonly { request: KeyedRequest; answer: Answer; requestId: string }[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const sorted = rows.toSorted((a, b) => (a.request.key < b.request.key ? -1 : 1));
  const column = <T>(read: (row: (typeof sorted)[number]) => T) => sql.param(sorted.map(read));
  const [first] = sorted;
  markCommit(
    tx,
    sql`exists (select from idempotent_requests where integrator_id = ${integratorId}
      and key = ${first?.request.key} and request_id = ${first?.requestId})`,
  );
  await tx.execute(sql`
    insert into idempotent_requests (integrator_id, key, fingerprint, status, content_type, body, request_id)
    select ${integratorId}::uuid, row.* from unnest(
      ${column(({ request }) => request.key)}::text[],
      ${column(({ request }) => request.fingerprint)}::text[],
      ${column(({ answer }) => answer.status)}::smallint[],
      ${column(({ answer }) => answer.contentType)}::text[],
      ${column(({ request, answer }) => (request.sealed ? `${SEALED}${seal(answer.body, "kept answer", integratorId)}` : answer.body))}::text[],
      ${column(({ requestId }) => requestId)}::text[]
    ) as row`);
}
