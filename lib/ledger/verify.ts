import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { OPEN_HOLD } from "#db/schema/cards.ts";
import { inSnapshot } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** One place where the books do not agree with themselves. */
export interface Miss {
  integratorId: string;
  rule: string;
  /** The account, transfer or subject concerned. */
  about: string;
}

/** How many misses one rule reports at the most; one is bad enough. */
const MISSES_MAX = 100;

/**
 * Which part of the books to look at: all of it, or the transfers at or above a transaction id, with every account they
 * touched, and every card with an event since: an authorisation moves nothing.
 */
interface Scope {
  transfers: SQL;
  accounts: SQL;
  cards: SQL;
}

const EVERYTHING: Scope = { transfers: sql`true`, accounts: sql`true`, cards: sql`true` };

function since(xid: string): Scope {
  const recent = sql`t.xid >= ${xid}::text::xid8`;
  return {
    transfers: recent,
    accounts: sql`(a.integrator_id, a.id) in (
      select t.integrator_id, side.id from transfers t, unnest(array[t.debit_account_id, t.credit_account_id]) as side (id)
      where ${recent})`,
    // One look into the feed of each integrator: its index leads with the integrator.
    cards: sql`(a.integrator_id, a.id) in (
      select i.id, recent.subject_id from integrators i cross join lateral (
        select e.subject_id from events e
        where e.integrator_id = i.id and e.xid >= ${xid}::text::xid8 and e.subject_type = 'card'
      ) recent)`,
  };
}

type Rule = (scope: Scope) => SQL;

/** What must always be true. Each query answers the places where it is not, as (integrator_id, about). */
const RULES: Readonly<Record<string, Rule>> = {
  "entries sum to zero": ({ transfers }) => sql`
    select t.integrator_id, t.id::text as about from transfers t
    left join entries e on e.integrator_id = t.integrator_id and e.transfer_id = t.id
    where ${transfers}
    group by t.integrator_id, t.id having count(e.*) <> 2 or sum(e.amount) <> 0`,

  "a balance is the sum and the last balance_after of its entries": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join lateral (
      select coalesce(sum(e.amount), 0) as total,
        coalesce((array_agg(e.balance_after order by e.account_version desc))[1], 0) as latest
      from entries e where e.integrator_id = a.integrator_id and e.account_id = a.id
    ) kept on true
    where a.balance is not null and (a.balance <> kept.total or a.balance <> kept.latest) and ${accounts}`,

  "versions have no gap": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join lateral (
      select count(e.account_version) as counted, coalesce(max(e.account_version), 0) as newest
      from entries e where e.integrator_id = a.integrator_id and e.account_id = a.id
    ) kept on true
    where a.balance is not null and (a.version <> kept.counted or a.version <> kept.newest) and ${accounts}`,

  "nothing is negative": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where (a.held < 0 or a.balance - a.held < 0) and ${accounts}`,

  "what is held is the sum of the open authorisations": ({ cards }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where a.held <> (
      select coalesce(sum(x.hold_amount - x.hold_captured - x.hold_released), 0) from transactions x
      where x.integrator_id = a.integrator_id and x.card_id = a.id and ${OPEN_HOLD}
    ) and ${cards}`,

  "a hold is captured by its captures, and released for the rest": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.hold_amount is not null and ${cards} and x.hold_captured <> least(
      x.hold_amount - x.hold_released,
      case x.status when 'settled' then x.amount else 0 end + (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.authorization_id = x.id
      )
    )`,

  "what was given back of a purchase is the sum of its refunds": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.type = 'deduct' and ${cards} and x.refunded <> (
      select coalesce(sum(r.amount), 0) from transactions r
      where r.integrator_id = x.integrator_id and r.refund_of = x.id
    )`,

  "every transfer has its event": ({ transfers }) => sql`
    select t.integrator_id, t.id::text as about from transfers t
    where not exists (
      select from events e where e.integrator_id = t.integrator_id and e.transfer_id = t.id
    ) and ${transfers}`,

  "a card's transactions are its transfers, and chain its balances as its entries do": ({
    transfers,
  }) => sql`
    select t.integrator_id, t.id::text as about from transfers t
    join entries e on e.integrator_id = t.integrator_id and e.transfer_id = t.id
    join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.account_id and a.kind = 'card'
    where ${transfers} and not exists (
      select from transactions x where x.integrator_id = e.integrator_id and x.card_id = e.account_id
        and x.account_version = e.account_version and x.transfer_id = t.id and x.amount = t.amount
        and x.card_balance_after = e.balance_after and x.card_balance_before = e.balance_after - e.amount
    )`,

  "a card's events count without a gap": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where a.kind in ('card', 'float') and ${accounts} and a.event_sequence <> (
      select count(*) from events e
      where e.integrator_id = a.integrator_id and e.subject_type = a.kind and e.subject_id = a.id
    )`,
};

/** What a check found, and the transaction id at which the next one takes up: everything below it was visible here. */
export interface Found {
  misses: Miss[];
  xid: string;
}

/** Checks all the books. An empty answer is a clean one. */
export async function sweepBooks(db: Db): Promise<Miss[]> {
  const { misses } = await findMissesEverywhere(db);
  return misses;
}

/** Checks all the books in one snapshot. */
export async function findMissesEverywhere(db: Db): Promise<Found> {
  return find(db, EVERYTHING);
}

/** Checks in one snapshot what has moved since a transaction id. */
export async function findMissesSince(db: Db, xid: string): Promise<Found> {
  return find(db, since(xid));
}

async function find(db: Db, scope: Scope): Promise<Found> {
  return inSnapshot(db, async (tx) => {
    const [row] = await tx.execute<{ xid: string }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`,
    );
    return { misses: await findMisses(tx, scope), xid: row?.xid ?? "0" };
  });
}

async function findMisses(tx: Tx, scope: Scope): Promise<Miss[]> {
  const misses: Miss[] = [];
  for (const [rule, toQuery] of Object.entries(RULES)) {
    const rows = await tx.execute<{ integrator_id: string; about: string }>(
      sql`${toQuery(scope)} limit ${MISSES_MAX}`,
    );
    misses.push(
      ...rows.map((row) => ({ integratorId: row.integrator_id, rule, about: row.about })),
    );
  }
  return misses;
}
