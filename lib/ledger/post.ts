import { sql } from "drizzle-orm";
import { decide } from "#lib/ledger/decide.ts";
import type { Decision, Move, Part, WorkingBalances } from "#lib/ledger/decide.ts";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import { toWorkingBalances } from "#lib/ledger/holds.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

export type TransferKind =
  | "float_top_up"
  | "card_credit"
  | "card_debit"
  | "card_sweep"
  | "card_purchase"
  | "card_refund";

/** One requested move. Its first transfer carries the request's idempotency key; further transfers carry none. */
export interface PostRequest extends Move {
  kind: TransferKind;
  currency: string;
  idempotencyKey: string | null;
  requestId: string;
}

/** One transfer of a posted move. */
export interface Posted extends Part {
  transferId: string;
  /** By the database's clock. The accounts' `updated_at` has the same time. */
  postedAt: Date;
}
export type Refused = Extract<Decision, { posted: false }>;
/** One transfer for an amount; for `"all"` as many as needed. Either all of them are made or none. */
export type PostResult = { posted: true; transfers: readonly [Posted, ...Posted[]] } | Refused;

interface Posting {
  request: PostRequest;
  transfer: Posted;
  idempotencyKey: string | null;
}

/** Postings that are decided but not yet written. */
export interface DecidedPostings {
  accounts: LockedAccounts;
  balances: WorkingBalances;
  postings: readonly Posting[];
  /** In the order of the requests. */
  results: readonly PostResult[];
}

/**
 * Moves money. This is the only code that changes a balance. It decides the requests in order on the locked accounts and
 * writes those that posted. A refusal is a value among the results.
 * @param accounts the affected float and card accounts, locked in the same transaction.
 */
export async function post(
  tx: Tx,
  accounts: LockedAccounts,
  requests: readonly PostRequest[],
): Promise<readonly PostResult[]> {
  const decided = decidePostings(accounts, requests);
  await writePostings(tx, decided);
  return decided.results;
}

/** The first half of `post`, which runs no query. */
export function decidePostings(
  accounts: LockedAccounts,
  requests: readonly PostRequest[],
): DecidedPostings {
  const balances = toWorkingBalances(accounts);
  const postings: Posting[] = [];
  const results = requests.map((request): PostResult => {
    const decision = decide(balances, request);
    if (!decision.posted) {
      return decision;
    }
    const [first, ...others] = decision.parts;
    const transfers: [Posted, ...Posted[]] = [
      toPosted(first, accounts),
      ...others.map((part) => toPosted(part, accounts)),
    ];
    postings.push(
      ...transfers.map((transfer, index) => ({
        request,
        transfer,
        idempotencyKey: index === 0 ? request.idempotencyKey : null,
      })),
    );
    return { posted: true, transfers };
  });
  return { accounts, balances, postings, results };
}

function toPosted(part: Part, { newId, at }: LockedAccounts): Posted {
  return { ...part, transferId: newId(), postedAt: at };
}

/**
 * The second half of `post`: three set-based statements, however many requests there are.
 * @param events the number of events written with each account, by account id. Its event counter advances by that number.
 */
export async function writePostings(
  tx: Tx,
  decided: DecidedPostings,
  events: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const { accounts, postings } = decided;
  if (postings.length === 0) {
    return;
  }
  await pipeline([
    // Balances first: the database checks each entry against its account.
    writeBalances(tx, decided, events),
    writeTransfers(tx, accounts, postings),
    writeEntries(tx, accounts.integratorId, postings),
  ]);
}

async function writeBalances(
  tx: Tx,
  { accounts, balances }: DecidedPostings,
  events: ReadonlyMap<string, number>,
): Promise<void> {
  const moved = [...balances].filter(
    ([id, { version }]) => version !== accounts.byId.get(id)?.version,
  );
  const ids = sql.param(moved.map(([id]) => id));
  await tx.execute(sql`
    update ledger_accounts a
    set balance = moved.balance, held = moved.held, version = moved.version,
      event_sequence = a.event_sequence + moved.events,
      updated_at = to_timestamp(${accounts.at.getTime()}::float8 / 1000)
    from unnest(
      ${ids}::uuid[],
      ${sql.param(moved.map(([, funds]) => funds.balance))}::bigint[],
      ${sql.param(moved.map(([, funds]) => funds.held))}::bigint[],
      ${sql.param(moved.map(([, funds]) => funds.version))}::bigint[],
      ${sql.param(moved.map(([id]) => events.get(id) ?? 0))}::bigint[]
    ) as moved (id, balance, held, version, events)
    where a.integrator_id = ${accounts.integratorId} and a.id = any(${ids}::uuid[]) and a.id = moved.id`);
}

async function writeTransfers(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  postings: readonly Posting[],
): Promise<void> {
  const column = <T>(read: (posting: Posting) => T) => sql.param(postings.map(read));
  await tx.execute(sql`
    insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount,
      idempotency_key, request_id, created_at)
    select ${integratorId}::uuid, row.*, to_timestamp(${at.getTime()}::float8 / 1000) from unnest(
      ${column(({ transfer }) => transfer.transferId)}::uuid[],
      ${column(({ request }) => request.kind)}::text[],
      ${column(({ request }) => request.currency)}::text[],
      ${column(({ request }) => request.debitAccountId)}::uuid[],
      ${column(({ request }) => request.creditAccountId)}::uuid[],
      ${column(({ transfer }) => transfer.amount)}::bigint[],
      ${column(({ idempotencyKey }) => idempotencyKey)}::text[],
      ${column(({ request }) => request.requestId)}::text[]
    ) as row`);
}

async function writeEntries(
  tx: Tx,
  integratorId: string,
  postings: readonly Posting[],
): Promise<void> {
  const sides = postings.flatMap((posting) => [
    {
      ...posting,
      accountId: posting.request.debitAccountId,
      sign: -1,
      side: posting.transfer.debit,
    },
    {
      ...posting,
      accountId: posting.request.creditAccountId,
      sign: 1,
      side: posting.transfer.credit,
    },
  ]);
  const column = <T>(read: (entry: (typeof sides)[number]) => T) => sql.param(sides.map(read));
  await tx.execute(sql`
    insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
    select ${integratorId}::uuid, row.* from unnest(
      ${column(({ transfer }) => transfer.transferId)}::uuid[],
      ${column(({ accountId }) => accountId)}::uuid[],
      ${column(({ request }) => request.currency)}::text[],
      ${column(({ sign, transfer }) => sign * transfer.amount)}::bigint[],
      ${column(({ side }) => side?.version ?? null)}::bigint[],
      ${column(({ side }) => side?.balanceAfter ?? null)}::bigint[]
    ) as row`);
}
