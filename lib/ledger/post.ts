import { sql } from "drizzle-orm";
import { decide } from "#lib/ledger/decide.ts";
import type { Decision, Move, Standing } from "#lib/ledger/decide.ts";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import { toStanding } from "#lib/ledger/holds.ts";
import { newId } from "#lib/ids.ts";
import type { Tx } from "#db/transaction.ts";

export type TransferKind =
  | "float_top_up"
  | "card_credit"
  | "card_debit"
  | "card_sweep"
  | "card_purchase"
  | "card_refund";

/** One transfer asked for. Only the first transfer of a request carries that request's idempotency key. */
export interface PostRequest extends Move {
  kind: TransferKind;
  currency: string;
  idempotencyKey: string | null;
  requestId: string;
}

export type Posted = Extract<Decision, { posted: true }> & {
  transferId: string;
  /** By the database's clock; what the accounts' `updated_at` says. */
  postedAt: Date;
};
export type Refused = Extract<Decision, { posted: false }>;
export type PostResult = Posted | Refused;

interface Posting {
  request: PostRequest;
  decision: Extract<Decision, { posted: true }>;
  transferId: string;
}

/**
 * Moves money: the only code that changes a balance. Decides the requests in their order on the locked accounts and
 * writes what posted set-wise, in three statements whatever their number. A refusal is a value among the results.
 * @param accounts the float and card accounts concerned, locked by `lockAccounts` in the same transaction.
 */
export async function post(
  tx: Tx,
  accounts: LockedAccounts,
  requests: readonly PostRequest[],
): Promise<PostResult[]> {
  const standing = toStanding(accounts);
  const decided = requests.map((request) => ({
    request,
    decision: decide(standing, request),
    transferId: newId(),
  }));
  const postings = decided.flatMap(({ request, decision, transferId }): Posting[] =>
    decision.posted ? [{ request, decision, transferId }] : [],
  );
  const postedAt = await write(tx, accounts, { standing, postings });
  return decided.map(({ decision, transferId }) =>
    decision.posted ? toPosted(decision, transferId, postedAt) : decision,
  );
}

function toPosted(decision: Posting["decision"], transferId: string, postedAt: Date): Posted {
  return { ...decision, transferId, postedAt };
}

async function write(
  tx: Tx,
  accounts: LockedAccounts,
  { standing, postings }: { standing: Standing; postings: Posting[] },
): Promise<Date> {
  if (postings.length === 0) {
    return new Date(0);
  }
  // Balances first: the database checks each entry against the account it stands in.
  const postedAt = await writeBalances(tx, accounts, standing);
  await writeTransfers(tx, accounts.integratorId, postings);
  await writeEntries(tx, accounts.integratorId, postings);
  return postedAt;
}

async function writeBalances(tx: Tx, accounts: LockedAccounts, standing: Standing): Promise<Date> {
  const moved = [...standing].filter(
    ([id, { version }]) => version !== accounts.byId.get(id)?.version,
  );
  const [row] = await tx.execute<{ at: number }>(sql`
    update ledger_accounts a
    set balance = moved.balance, held = moved.held, version = moved.version, updated_at = statement_timestamp()
    from unnest(
      ${sql.param(moved.map(([id]) => id))}::uuid[],
      ${sql.param(moved.map(([, funds]) => funds.balance))}::bigint[],
      ${sql.param(moved.map(([, funds]) => funds.held))}::bigint[],
      ${sql.param(moved.map(([, funds]) => funds.version))}::bigint[]
    ) as moved (id, balance, held, version)
    where a.integrator_id = ${accounts.integratorId} and a.id = moved.id
    returning floor(extract(epoch from a.updated_at) * 1000)::float8 as at`);
  if (!row) {
    throw new Error(`No account of integrator ${accounts.integratorId} took its new balance.`);
  }
  return new Date(row.at);
}

async function writeTransfers(tx: Tx, integratorId: string, postings: Posting[]): Promise<void> {
  const column = <T>(read: (posting: Posting) => T) => sql.param(postings.map(read));
  await tx.execute(sql`
    insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount,
      idempotency_key, request_id)
    select ${integratorId}::uuid, row.* from unnest(
      ${column(({ transferId }) => transferId)}::uuid[],
      ${column(({ request }) => request.kind)}::text[],
      ${column(({ request }) => request.currency)}::text[],
      ${column(({ request }) => request.debitAccountId)}::uuid[],
      ${column(({ request }) => request.creditAccountId)}::uuid[],
      ${column(({ decision }) => decision.amount)}::bigint[],
      ${column(({ request }) => request.idempotencyKey)}::text[],
      ${column(({ request }) => request.requestId)}::text[]
    ) as row`);
}

async function writeEntries(tx: Tx, integratorId: string, postings: Posting[]): Promise<void> {
  const sides = postings.flatMap((posting) => [
    {
      ...posting,
      accountId: posting.request.debitAccountId,
      sign: -1,
      side: posting.decision.debit,
    },
    {
      ...posting,
      accountId: posting.request.creditAccountId,
      sign: 1,
      side: posting.decision.credit,
    },
  ]);
  const column = <T>(read: (entry: (typeof sides)[number]) => T) => sql.param(sides.map(read));
  await tx.execute(sql`
    insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
    select ${integratorId}::uuid, row.* from unnest(
      ${column(({ transferId }) => transferId)}::uuid[],
      ${column(({ accountId }) => accountId)}::uuid[],
      ${column(({ request }) => request.currency)}::text[],
      ${column(({ sign, decision }) => sign * decision.amount)}::bigint[],
      ${column(({ side }) => side?.version ?? null)}::bigint[],
      ${column(({ side }) => side?.balanceAfter ?? null)}::bigint[]
    ) as row`);
}
