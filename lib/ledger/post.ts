import { and, eq, sql } from "drizzle-orm";
import type { CardAccount, LockedAccounts } from "#lib/ledger/accounts.ts";
import type { AccountChanges, Funds, Posting } from "#lib/ledger/decide.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import type { LimitUses } from "#db/schema/spending-controls.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Moves money, and holds or releases it: writes all decisions in one pipelined round trip, with one statement per
 * table. No other code changes a balance.
 * @param events the number of events written with each account, by account id. Its event counter advances by that
 * number.
 */
export async function post(
  tx: Tx,
  changes: AccountChanges,
  events: ReadonlyMap<string, number>,
): Promise<void> {
  const { accounts, postings } = changes;
  await pipeline([
    // Balances first: the database checks each entry against its account.
    writeAccounts(tx, changes, events),
    writeTransfers(tx, accounts, postings),
    writeEntries(tx, accounts.integratorId, postings),
  ]);
}

const NO_USES: ReadonlyMap<string, LimitUses | null> = new Map();
const NOTHING = sql``;
const HELD = sql`held = changed.held`;
const MOVED = sql`${HELD}, balance = changed.balance, version = changed.version`;

/** The parts of the statement that set the uses of spending limits: empty if none change. */
const UNLIMITED = { set: NOTHING, values: NOTHING, name: NOTHING };
const SET_USES = sql`, limit_uses = case when changed.uses is null then a.limit_uses else nullif(changed.uses::jsonb, 'null') end`;

/** Sets no balance if funds are only held or released, because the database checks every balance that is set. */
async function writeAccounts(
  tx: Tx,
  { accounts, balances, postings, uses = NO_USES }: AccountChanges,
  events: ReadonlyMap<string, number>,
): Promise<void> {
  const changed = [...balances].filter(([id, { held, version }]) => {
    const before = accounts.byId.get(id);
    return version !== before?.version || held !== before.held || events.has(id) || uses.has(id);
  });
  if (changed.length === 0) {
    return;
  }
  const column = <T>(read: (funds: Funds, id: string) => T) =>
    sql.param(changed.map(([id, funds]) => read(funds, id)));
  const ids = sql.param(changed.map(([id]) => id));
  const limited =
    uses.size === 0
      ? UNLIMITED
      : {
          set: SET_USES,
          values: sql`, ${column((_, id) => (uses.has(id) ? JSON.stringify(uses.get(id)) : null))}::text[]`,
          name: sql`, uses`,
        };
  await tx.execute(sql`
    update ledger_accounts a
    set ${postings.length > 0 ? MOVED : HELD}${limited.set}, event_sequence = a.event_sequence + changed.events,
      updated_at = case when (a.held, a.version) = (changed.held, changed.version) then a.updated_at
        else to_timestamp(${accounts.at.getTime()}::float8 / 1000) end
    from unnest(
      ${ids}::uuid[],
      ${column(({ balance }) => balance)}::bigint[],
      ${column(({ held }) => held)}::bigint[],
      ${column(({ version }) => version)}::bigint[],
      ${sql.param(changed.map(([id]) => events.get(id) ?? 0))}::bigint[]${limited.values}
    ) as changed (id, balance, held, version, events${limited.name})
    where a.integrator_id = ${accounts.integratorId} and a.id = any(${ids}::uuid[]) and a.id = changed.id`);
}

/** The status of a card's account to write, and the number of events that are written with it. */
interface StatusChange extends Pick<CardAccount, "id" | "status" | "freezeDueAt"> {
  /** When to check whether it is idle; null unless it is active. */
  idleDueAt: Date | null;
  events: number;
}

/** Writes the statuses of locked cards, and advances their event counters. No balance changes. */
export async function updateStatuses(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  changes: readonly StatusChange[],
): Promise<void> {
  const ids = sql.param(changes.map(({ id }) => id));
  await tx.execute(sql`
    update ledger_accounts a
    set status = changed.status, freeze_due_at = to_timestamp(changed.freeze_due_at / 1000),
      idle_due_at = to_timestamp(changed.idle_due_at / 1000),
      event_sequence = a.event_sequence + changed.events,
      updated_at = to_timestamp(${at.getTime()}::float8 / 1000)
    from unnest(
      ${ids}::uuid[],
      ${sql.param(changes.map(({ status }) => status))}::text[],
      ${sql.param(changes.map(({ freezeDueAt }) => freezeDueAt?.getTime() ?? null))}::float8[],
      ${sql.param(changes.map(({ idleDueAt }) => idleDueAt?.getTime() ?? null))}::float8[],
      ${sql.param(changes.map(({ events }) => events))}::bigint[]
    ) as changed (id, status, freeze_due_at, idle_due_at, events)
    where a.integrator_id = ${integratorId} and a.id = any(${ids}::uuid[]) and a.id = changed.id`);
}

/** Sets when to check whether locked cards are idle; null for never. */
export async function updateIdleDues(
  tx: Tx,
  integratorId: string,
  dues: readonly { id: string; at: Date | null }[],
): Promise<void> {
  const ids = sql.param(dues.map(({ id }) => id));
  await tx.execute(sql`
    update ledger_accounts a
    set idle_due_at = to_timestamp(due.at / 1000)
    from unnest(
      ${ids}::uuid[],
      ${sql.param(dues.map(({ at }) => at?.getTime() ?? null))}::float8[]
    ) as due (id, at)
    where a.integrator_id = ${integratorId} and a.id = any(${ids}::uuid[]) and a.id = due.id`);
}

/** A card's new spending controls, and how much of their limits it has used. */
interface ControlsChange extends Pick<CardAccount, "id" | "spendingControls" | "limitUses"> {
  /** How many events are written with it. */
  events: number;
}

/** Writes a locked card's spending controls and uses, and advances its event counter. No balance changes. */
export async function updateSpendingControls(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  { id, spendingControls, limitUses, events }: ControlsChange,
): Promise<void> {
  await tx
    .update(ledgerAccounts)
    .set({
      spendingControls,
      limitUses,
      eventSequence: sql`${ledgerAccounts.eventSequence} + ${events}`,
      updatedAt: at,
    })
    .where(and(eq(ledgerAccounts.integratorId, integratorId), eq(ledgerAccounts.id, id)));
}

async function writeTransfers(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) {
    return;
  }
  await tx.execute(
    insertRows("transfers", postings, {
      integrator_id: ["uuid", () => integratorId],
      id: ["uuid", ({ transfer }) => transfer.transferId],
      kind: ["text", ({ request }) => request.kind],
      currency: ["text", ({ request }) => request.currency],
      debit_account_id: ["uuid", ({ request }) => request.debitAccountId],
      credit_account_id: ["uuid", ({ request }) => request.creditAccountId],
      amount: ["bigint", ({ transfer }) => transfer.amount],
      idempotency_key: ["text", ({ idempotencyKey }) => idempotencyKey],
      request_id: ["text", ({ request }) => request.requestId],
      created_at: ["timestamptz", () => at],
    }),
  );
}

async function writeEntries(
  tx: Tx,
  integratorId: string,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) {
    return;
  }
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
  await tx.execute(
    insertRows("entries", sides, {
      integrator_id: ["uuid", () => integratorId],
      transfer_id: ["uuid", ({ transfer }) => transfer.transferId],
      account_id: ["uuid", ({ accountId }) => accountId],
      currency: ["text", ({ request }) => request.currency],
      amount: ["bigint", ({ sign, transfer }) => sign * transfer.amount],
      account_version: ["bigint", ({ side }) => side?.version ?? null],
      balance_after: ["bigint", ({ side }) => side?.balanceAfter ?? null],
    }),
  );
}
