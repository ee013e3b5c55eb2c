import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { COUNTED, COUNTED_CATEGORY, OPEN_HOLD } from "#db/schema/transactions.ts";

/**
 * Which part of the books to check: all of them, or the transfers at or above a transaction id, every account they
 * touched, and every card with an event since then (an authorization moves nothing, but has an event).
 */
export interface Scope {
  since: string;
  /** How many transfers a statement checks. */
  windowTransfers: number;
  accounts: SQL;
  cards: SQL;
}

/** Invariants by name. Each query returns the violations, as (integrator_id, about). */
export type Rules<Part> = Readonly<Record<string, (part: Part) => SQL>>;

/** The invariants of transfers. Each checks the transfers that a condition selects. */
export const TRANSFER_RULES: Rules<SQL> = {
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

  // Fences (`offset 0`) keep the order of the look-ups. In any other order, PostgreSQL would read all of an
  // integrator's entries for each card, or all of its transactions of an amount for each entry. The planner does not
  // know how many those are, because new rows are not in its statistics yet.
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

/** The invariants of accounts, holds, and purchases. */
export const ACCOUNT_RULES: Rules<Scope> = {
  "an account's balance equals that of its last entry": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join lateral (
      select e.balance_after, e.account_version from entries e
      where e.integrator_id = a.integrator_id and e.account_id = a.id and e.account_version is not null
      order by e.account_version desc limit 1
    ) latest on true
    where a.balance is not null and ${accounts}
      and (a.balance <> coalesce(latest.balance_after, 0) or a.version <> coalesce(latest.account_version, 0))`,

  "nothing but a deficit is negative": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where case a.kind when 'deficit' then a.held <> 0 or a.balance > 0 else a.held < 0 or a.balance - a.held < 0 end
      and ${accounts}`,

  "a deficit stands only while its float is empty": ({ accounts }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    join ledger_accounts f on f.integrator_id = a.integrator_id and f.currency = a.currency and f.kind = 'float'
      and f.kind <> 'card'
    where a.kind = 'deficit' and a.balance < 0 and f.balance <> 0 and ${accounts}`,

  "a closed card has only what its open authorizations hold": ({ cards }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    where a.status = 'closed' and a.balance <> a.held and ${cards}`,

  "a card is frozen while a freeze of it stands, until the end that its account knows": ({
    cards,
  }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    join cards c on c.integrator_id = a.integrator_id and c.id = a.id
    where ((a.status = 'frozen') <> (c.freezes is not null) or a.freeze_due_at is distinct from (
        select min((value->>'until')::timestamptz) from jsonb_each(c.freezes)
      )) and ${cards}`,

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

  "what an authorization holds counts toward the limits of its card": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where ${OPEN_HOLD} and ${cards} and coalesce(counted, 0) < hold_amount - hold_captured - hold_released`,

  "what a card has used of its limits is what its purchases count": ({ cards }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    cross join lateral jsonb_to_recordset(a.limit_uses -> 'limits')
      as l ("from" float8, "to" float8, categories jsonb, used bigint)
    where a.limit_uses is not null and ${cards} and l.used <> (
      select coalesce(sum(counted), 0) from transactions x
      where x.integrator_id = a.integrator_id and x.card_id = a.id and ${COUNTED}
        and (l."from" is null or counted_at >= to_timestamp(l."from" / 1000))
        and (l."to" is null or counted_at < to_timestamp(l."to" / 1000))
        and (l.categories is null or l.categories ? ${COUNTED_CATEGORY})
    )`,

  "a hold's captured amount matches its captures, up to what was not released": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.hold_amount is not null and ${cards} and x.hold_captured <> least(
      x.hold_amount - x.hold_released,
      case x.status when 'settled' then x.amount else 0 end + (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.authorization_id = x.id and c.status = 'settled'
          and c.type = 'deduct'
      )
    )`,

  // As in the database's guards, a refund of an authorization with several purchases may count toward any of them.
  "the refunded amount of a purchase is the sum of its refunds, up to all of it": ({
    cards,
  }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    where x.type = 'deduct' and ${cards} and x.refunded <> least(x.amount, (
      select coalesce(sum(r.amount - r.taken_back), 0) from transactions r
      where r.integrator_id = x.integrator_id and r.refund_of = x.id
    )) and not is_refunded(x.integrator_id, x.id)`,

  "what was taken back has one contra": ({ cards }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    left join transactions c on c.integrator_id = x.integrator_id and c.takes_back = x.id
    where x.taken_back <> coalesce(c.amount, 0) and ${cards}`,

  "what a card has not returned is its purchases' cover without what was given back": ({
    cards,
  }) => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    join cards c on c.integrator_id = a.integrator_id and c.id = a.id
    where c.cover_outstanding <> (
      select coalesce(sum(case x.type when 'credit' then x.amount else -x.amount end), 0) from transactions x
      where x.integrator_id = a.integrator_id and x.card_id = a.id and x.cover_of is not null
    ) and ${cards}`,

  "what covered a purchase came to its card, and its refunds gave it back first": ({
    cards,
  }) => sql`
    select x.integrator_id, x.id::text as about from transactions x
    join ledger_accounts a on a.integrator_id = x.integrator_id and a.id = x.card_id
    cross join lateral (
      select coalesce(sum(c.amount) filter (where t.kind = 'cover'), 0) as float,
        coalesce(sum(c.amount) filter (where t.kind = 'deficit_cover'), 0) as deficit,
        coalesce(sum(c.amount) filter (where t.kind = 'cover_return'), 0) as returned
      from transactions c join transfers t on t.integrator_id = c.integrator_id and t.id = c.transfer_id
      where c.integrator_id = x.integrator_id and c.cover_of = x.id
    ) kept
    where x.covered_float is not null and ${cards} and ((kept.float, kept.deficit)
        is distinct from (x.covered_float::numeric, x.covered_deficit::numeric)
      or not is_cover_returned(x, kept.returned))`,

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
 * Rules for full checks only. Their cost grows with the number of entries ever written. They follow from the rules
 * above, or check rows that cannot change.
 */
export const RULES_IN_FULL: Rules<Scope> = {
  // Rows numbered by another cluster may lie in this cluster's future, where neither the feed nor the running check looks.
  "every record lies in the past": () => sql`
    select t.integrator_id, t.id::text as about from transfers t where t.xid >= ${PRESENT}
    union all
    select i.id as integrator_id, late.id::text as about from integrators i cross join lateral (
      select e.id from events e where e.integrator_id = i.id and e.xid >= ${PRESENT} limit 1
    ) late`,

  "what the card network was answered is in the books": () => sql`
    select p.integrator_id, p.reference as about from processor_operations p
    where p.transaction_id is not null and not exists (
      select from transactions x where x.integrator_id = p.integrator_id and x.id = p.transaction_id
    )`,

  "a card's status is that of the last event about it": () => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join (
      select distinct on (integrator_id, subject_id) integrator_id, subject_id, event from events
      where event in ('card.created', 'card.unfrozen', 'card.frozen', 'card.closed')
      order by integrator_id, subject_id, sequence desc
    ) latest on latest.integrator_id = a.integrator_id and latest.subject_id = a.id
    where a.kind = 'card' and a.status is distinct from case latest.event
      when 'card.frozen' then 'frozen' when 'card.closed' then 'closed' else 'active' end`,

  "the freezes that stand are those of the card's history": () => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    join cards c on c.integrator_id = a.integrator_id and c.id = a.id
    left join (
      select integrator_id, card_id, jsonb_agg(jsonb_build_array(level, until) order by level) as freezes from (
        select distinct on (integrator_id, card_id, level) integrator_id, card_id, level, lifted, until
        from card_state_changes where level is not null
        order by integrator_id, card_id, level, id desc
      ) latest where not lifted group by integrator_id, card_id
    ) kept on kept.integrator_id = a.integrator_id and kept.card_id = a.id
    where a.status <> 'closed' and kept.freezes is distinct from (
      select jsonb_agg(jsonb_build_array(key, (value->>'until')::timestamptz) order by key) from jsonb_each(c.freezes)
    )`,

  "a balance is the sum of its entries, and its version their number": () => sql`
    select a.integrator_id, a.id::text as about from ledger_accounts a
    left join (
      select integrator_id, account_id, sum(amount) as total, count(account_version) as counted from entries
      group by integrator_id, account_id
    ) kept on kept.integrator_id = a.integrator_id and kept.account_id = a.id
    where a.balance is not null
      and (a.balance <> coalesce(kept.total, 0) or a.version <> coalesce(kept.counted, 0))`,
};
