import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { OPEN_HOLD } from "#db/schema/cards.ts";
import { FEED_HORIZON } from "#db/schema/columns.ts";
import { inLongTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** One place where the books are inconsistent. */
export interface Discrepancy {
  integratorId: string;
  rule: string;
  /** The affected account, transfer, or subject. */
  about: string;
}

/** The maximum number of discrepancies reported per rule. One is bad enough. */
const DISCREPANCIES_MAX = 100;

/** How many transfers a statement checks, in about half a second. */
const WINDOW_TRANSFERS = 50_000;

/**
 * Which part of the books to check: all of them, or the transfers at or above a transaction id with every account they
 * touched, plus every card with an event since then, because an authorization moves nothing.
 */
interface Scope {
  since: string;
  /** How many transfers a statement checks. */
  windowTransfers: number;
  accounts: SQL;
  cards: SQL;
}

const EVERYTHING: Scope = {
  since: "0",
  windowTransfers: WINDOW_TRANSFERS,
  accounts: sql`true`,
  cards: sql`true`,
};

function since(xid: string): Scope {
  const recent = sql`t.xid >= ${xid}::text::xid8`;
  return {
    since: xid,
    windowTransfers: WINDOW_TRANSFERS,
    // Deduplicated: a float is in most transfers, and joining that many duplicates would exhaust the memory.
    accounts: sql`(a.integrator_id, a.id) in (
      select t.integrator_id, t.debit_account_id from transfers t where ${recent}
      union select t.integrator_id, t.credit_account_id from transfers t where ${recent})`,
    // One index scan of the feed per integrator: its index leads with the integrator.
    cards: sql`(a.integrator_id, a.id) in (
      select distinct i.id, recent.subject_id from integrators i cross join lateral (
        select e.subject_id from events e
        where e.integrator_id = i.id and e.xid >= ${xid}::text::xid8 and e.subject_type = 'card'
      ) recent)`,
  };
}

/** What must always be true. Each query returns the places where it is not, as (integrator_id, about). */
type Rules<Part> = Readonly<Record<string, (part: Part) => SQL>>;

/** What must be true of each transfer, for those that a condition names. */
const TRANSFER_RULES: Rules<SQL> = {
  "entries sum to zero": (transfers) => sql`
    select t.integrator_id, t.id::text as about from transfers t
    left join entries e on e.integrator_id = t.integrator_id and e.transfer_id = t.id
    where ${transfers}
    group by t.integrator_id, t.id having count(e.*) <> 2 or sum(e.amount) <> 0`,

  // Together with the rule about the last entry, and because every earlier entry was checked when it was new, this proves
  // that a balance is the sum of its entries.
  "an entry follows the previous one without a gap": (transfers) => sql`
    select e.integrator_id, e.account_id::text as about from transfers t
    join entries e on e.integrator_id = t.integrator_id and e.transfer_id = t.id
    left join entries p on p.integrator_id = e.integrator_id and p.account_id = e.account_id
      and p.account_version = e.account_version - 1
    where ${transfers} and e.account_version is not null
      and (e.balance_after - e.amount <> coalesce(p.balance_after, 0)
        or (e.account_version > 1 and p.account_version is null))`,

  "every transfer has its event": (transfers) => sql`
    select t.integrator_id, t.id::text as about from transfers t
    where not exists (
      select from events e where e.integrator_id = t.integrator_id and e.transfer_id = t.id
    ) and ${transfers}`,

  // Fences (`offset 0`) keep the order of the look-ups. Any other order reads all entries of an integrator for each card, or
  // all of its transactions of an amount for each entry, and the planner cannot know that while they are new.
  "a card's transactions match its transfers and the balances of its entries": (transfers) => sql`
    select t.integrator_id, t.id::text as about from transfers t
    cross join lateral (
      select e.* from entries e where e.integrator_id = t.integrator_id and e.transfer_id = t.id offset 0
    ) e
    cross join lateral (
      select from ledger_accounts a
      where a.integrator_id = e.integrator_id and a.id = e.account_id and a.kind = 'card' offset 0
    ) card
    left join lateral (
      select x.transfer_id, x.amount, x.card_balance_before, x.card_balance_after from transactions x
      where x.integrator_id = e.integrator_id and x.card_id = e.account_id and x.account_version = e.account_version
      order by x.account_version limit 1
    ) x on true
    where ${transfers} and (x.transfer_id, x.amount, x.card_balance_before, x.card_balance_after)
      is distinct from (t.id, t.amount, e.balance_after - e.amount, e.balance_after)`,
};

/** What must be true of each account, hold, and purchase. */
const ACCOUNT_RULES: Rules<Scope> = {
  "an account's balance equals that of its last entry": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join lateral (
      select e.balance_after, e.account_version from entries e
      where e.integrator_id = a.integrator_id and e.account_id = a.id and e.account_version is not null
      order by e.account_version desc limit 1
    ) latest on true
    where a.balance is not null and ${accounts}
      and (a.balance <> coalesce(latest.balance_after, 0) or a.version <> coalesce(latest.account_version, 0))`,

  "nothing is negative": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where (a.held < 0 or a.balance - a.held < 0) and ${accounts}`,

  "a closed card holds no money": ({ cards }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where a.status = 'closed' and (a.balance <> 0 or a.held <> 0) and ${cards}`,

  "an authorization that has not settled is for the amount of its hold": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.hold_amount is not null and x.status <> 'settled' and x.amount <> x.hold_amount and ${cards}`,

  "an account's held funds are the sum of its open authorizations": ({ cards }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where a.held <> (
      select coalesce(sum(x.hold_amount - x.hold_captured - x.hold_released), 0) from transactions x
      where x.integrator_id = a.integrator_id and x.card_id = a.id and ${OPEN_HOLD}
    ) and ${cards}`,

  "a hold's captured amount matches its captures, up to what was not released": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.hold_amount is not null and ${cards} and x.hold_captured <> least(
      x.hold_amount - x.hold_released,
      case x.status when 'settled' then x.amount else 0 end + (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.authorization_id = x.id and c.status = 'settled'
      )
    )`,

  "the refunded amount of a purchase is the sum of its refunds": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.type = 'deduct' and ${cards} and x.refunded <> (
      select coalesce(sum(r.amount), 0) from transactions r
      where r.integrator_id = x.integrator_id and r.refund_of = x.id
    )`,

  "a card's events are numbered without a gap": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where a.kind in ('card', 'float') and ${accounts} and a.event_sequence <> (
      select count(*) from events e
      where e.integrator_id = a.integrator_id and e.subject_type = a.kind and e.subject_id = a.id
    )`,
};

/** Above every transaction that this snapshot sees. */
const PRESENT = sql`(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + feed_base())::text::xid8`;

/**
 * Rules for full checks only. Their cost grows with all entries ever written, and they follow from the rules above or
 * concern rows that cannot change.
 */
const RULES_IN_FULL: Rules<Scope> = {
  // Rows numbered by another cluster may lie in this cluster's future, where neither the feed nor the running check looks.
  "every record lies in the past": () => sql`
    select t.integrator_id, t.id::text as about from transfers t where t.xid >= ${PRESENT}
    union all
    select i.id as integrator_id, late.id::text as about from integrators i cross join lateral (
      select e.id from events e where e.integrator_id = i.id and e.xid >= ${PRESENT} limit 1
    ) late`,

  "a card's status is that of the last event about it": () => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join (
      select distinct on (integrator_id, subject_id) integrator_id, subject_id, event from events
      where event in ('card.created', 'card.unfrozen', 'card.frozen', 'card.closed')
      order by integrator_id, subject_id, sequence desc
    ) latest on latest.integrator_id = a.integrator_id and latest.subject_id = a.id
    where a.kind = 'card' and a.status is distinct from case latest.event
      when 'card.frozen' then 'frozen' when 'card.closed' then 'closed' else 'active' end`,

  "a balance is the sum of its entries, and its version their number": () => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join (
      select integrator_id, account_id, sum(amount) as total, count(account_version) as counted from entries
      group by integrator_id, account_id
    ) kept on kept.integrator_id = a.integrator_id and kept.account_id = a.id
    where a.balance is not null
      and (a.balance <> coalesce(kept.total, 0) or a.version <> coalesce(kept.counted, 0))`,
};

/** The result of a check, and the transaction id at which the next check resumes. Everything below it was visible here. */
export interface CheckResult {
  discrepancies: Discrepancy[];
  xid: string;
}

/** Checks all the books. An empty result means that they balance. */
export async function verifyBooks(db: Db): Promise<Discrepancy[]> {
  const { discrepancies } = await inLongTransaction(db, findDiscrepanciesEverywhere);
  return discrepancies;
}

/**
 * Checks all the books. Each statement sees the state at its own start, and whatever moves meanwhile lies above the
 * transaction id of the result.
 */
export async function findDiscrepanciesEverywhere(
  tx: Tx,
  windowTransfers: number = WINDOW_TRANSFERS,
): Promise<CheckResult> {
  return check(tx, { ...EVERYTHING, windowTransfers }, { ...ACCOUNT_RULES, ...RULES_IN_FULL });
}

/** Checks what moved since a transaction id. Everything earlier has been checked already. */
export async function findDiscrepanciesSince(tx: Tx, xid: string): Promise<CheckResult> {
  return check(tx, since(xid), ACCOUNT_RULES);
}

async function check(tx: Tx, scope: Scope, accountRules: Rules<Scope>): Promise<CheckResult> {
  const [row] = await tx.execute<{ xid: string }>(sql`select ${FEED_HORIZON}::text as xid`);
  const windows = await cutIntoWindows(tx, scope);
  return {
    discrepancies: [
      ...(await findDiscrepancies(tx, TRANSFER_RULES, windows)),
      ...(await findDiscrepancies(tx, accountRules, [scope])),
    ],
    xid: row?.xid ?? "0",
  };
}

/**
 * Conditions that together hold for all transfers from a transaction id on, each for a window of them: as long as a
 * statement runs, PostgreSQL keeps every version of the rows that are updated meanwhile, and each credit reads those of its
 * float.
 */
async function cutIntoWindows(tx: Tx, { since: first, windowTransfers }: Scope): Promise<SQL[]> {
  const windows: SQL[] = [];
  let from: string | undefined = first;
  while (from !== undefined) {
    const atOrAbove: SQL = sql`t.xid >= ${from}::text::xid8`;
    const [row]: { until: string | null }[] = await tx.execute<{ until: string | null }>(sql`
      select min(t.xid)::text as until from transfers t where t.xid > (
        select t.xid from transfers t where ${atOrAbove} order by t.xid offset ${windowTransfers} limit 1
      )`);
    const until: string | undefined = row?.until ?? undefined;
    windows.push(
      until === undefined ? atOrAbove : sql`${atOrAbove} and t.xid < ${until}::text::xid8`,
    );
    from = until;
  }
  return windows;
}

async function findDiscrepancies<Part>(
  tx: Tx,
  rules: Rules<Part>,
  parts: readonly Part[],
): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  for (const [rule, toQuery] of Object.entries(rules)) {
    let room = DISCREPANCIES_MAX;
    for (const part of parts) {
      const rows = await tx.execute<{ integrator_id: string; about: string }>(
        sql`${toQuery(part)} limit ${room}`,
      );
      discrepancies.push(
        ...rows.map((row) => ({ integratorId: row.integrator_id, rule, about: row.about })),
      );
      room -= rows.length;
    }
  }
  return discrepancies;
}
