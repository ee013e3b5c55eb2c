import postgres from "postgres";
import type { Sql } from "postgres";
import { hashPassword } from "#lib/staff/passwords.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { newId } from "#lib/base/ids.ts";
import { registerIntegrator } from "#lib/integrators/integrators.ts";
import { openDatabase } from "#db/client.ts";
import { PastClock, setPastClock } from "#db/past-clock.ts";
import { inTransaction } from "#db/transaction.ts";

/** The size of an integrator's account. */
export interface Scale {
  cards: number;
  transactionsPerCard: number;
}

/** An integrator with its data and credentials. */
export interface ScaledIntegrator extends Scale {
  integratorId: string;
  email: string;
  password: string;
  apiKey: string;
}

/** The database to fill: connection URLs of the server's role and of the role that owns the tables. */
export interface Target {
  appUrl: string;
  ownerUrl: string;
}

const FLOAT_AMOUNT = 1_000_000_000_000;

/** The movements are spread over this many days, up to now. */
const PAST_DAYS = 90;
const DAY_MS = 86_400_000;

/** One in this many cards is frozen, and one in this many movements has a refused request in the API log. */
const FROZEN_EVERY = 10;

/**
 * Creates an integrator of any size in about a dozen statements; its books pass every check. The float is topped up
 * through the domain; cards, fund movements, freezes, events, and logs are bulk inserts. Call `vacuumAnalyze` after the last
 * integrator.
 * @param unguarded disables triggers and foreign keys, which requires a superuser and takes a tenth of the time. Only the
 *   ledger check afterwards then proves the books.
 */
export async function createScaledBooks(
  target: Target,
  scale: Scale,
  { unguarded }: { unguarded: boolean },
): Promise<ScaledIntegrator> {
  const integrator = await register(target);
  const sql = postgres(target.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql.begin(async (tx) => {
      if (unguarded) {
        await tx`set local session_replication_role = replica`;
      }
      for (const statement of [...FUNCTIONS, ...STATEMENTS]) {
        await tx.unsafe(fill(statement, integrator.integratorId, scale));
      }
    });
    return { ...integrator, ...scale };
  } finally {
    await sql.end();
  }
}

/** Brings freshly bulk-loaded tables into the state of a database that has been running for a long time. */
export async function vacuumAnalyze(target: Target): Promise<void> {
  const sql: Sql = postgres(target.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql`vacuum analyze`;
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
}

async function register(target: Target): Promise<Omit<ScaledIntegrator, keyof Scale>> {
  const opened = openDatabase(target.appUrl, { max: 1 });
  const email = `${newId()}@scale.example`;
  const password = "a password for measured data";
  const passwordHash = await hashPassword(password, "test");
  const request = { id: newId(), address: null, agent: "scaled books" };
  try {
    return await inTransaction(opened.db, async (tx) => {
      const { account, apiKey } = await registerIntegrator(
        { tx, request, environment: "sandbox", vouched: true },
        {
          businessName: "Scale",
          businessAddress: "1 Long Street",
          contactNumber: "+15550100",
          country: "US",
          domain: "scale.example",
          email,
          firstName: "Max",
          lastName: "Large",
          passwordHash,
          registrationNumber: "12345",
          webhookUrl: null,
          currency: "USD",
        },
      );
      const ref = { type: "system" as const, id: null, name: "Scaled books" };
      const actor = {
        kind: "member" as const,
        integratorId: account.id,
        scopes: new Set<never>(),
        ref,
      };
      // Before everything that is inserted, so that the float's entries are in the order of time.
      const end = new Date();
      const start = new Date(end.getTime() - (2 * PAST_DAYS + 1) * DAY_MS);
      setPastClock(tx, new PastClock({ start, end }));
      await performOne(tx, moveFunds, {
        kind: "top-up",
        amount: FLOAT_AMOUNT,
        actor,
        request,
        idempotencyKey: null,
      });
      return { integratorId: account.id, email, password, apiKey };
    });
  } finally {
    await opened.close();
  }
}

/** Replaces the named parameters of a statement with the integrator's id and whole numbers. */
function fill(statement: string, integratorId: string, scale: Scale): string {
  return statement
    .replaceAll(":owner", `'${integratorId}'::uuid`)
    .replaceAll(":cards", `${scale.cards}`)
    .replaceAll(":rounds", `${scale.transactionsPerCard}`)
    .replaceAll(":moves", `${scale.cards * scale.transactionsPerCard}`);
}

/** Deterministic version 7 UUIDs: each follows from its kind, its number, its moment, and the integrator. */
const ID_FUNCTION = `
  create or replace function pg_temp.id_of(kind text, n bigint, at timestamptz, owner uuid) returns uuid
  language sql stable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0')
      || '8' || substr(md5(kind || n || owner), 1, 15))::uuid
  $$`;

/** The data of a card's event. */
const DATA_FUNCTION = `
  create or replace function pg_temp.data_of(card_id uuid, amount bigint) returns text language sql stable as $$
    select '{"amount":' || coalesce(amount::text, 'null') || ',"card_id":"' || card_id || '","currency":"USD"}'
  $$`;

const FUNCTIONS = [ID_FUNCTION, DATA_FUNCTION];

const SYSTEM = `'{"type": "system", "id": null, "name": "Scaled books"}'::jsonb`;

/** When row `n` of `total` was created: the first ${PAST_DAYS} days ago, the last about now. */
function momentOf(n: string, total: string): string {
  return `date_trunc('milliseconds', now()) - interval '${PAST_DAYS} days' * (1 - ${n}::float8 / (${total} + 1))`;
}

/** The cards: number, id, cardholder, realistically repeating names, and whether the card is frozen. */
const CARDS = `
  select n, pg_temp.id_of('card', n, ${momentOf("n", ":cards")} - interval '${PAST_DAYS} days', :owner) as id,
    pg_temp.id_of('holder', n, ${momentOf("n", ":cards")} - interval '${PAST_DAYS} days', :owner) as holder,
    (array['Amara','Noah','Mei','Jonas','Priya','Luca','Sofia','Elias','Hana','Tomas'])[1 + n % 10] as first_name,
    (array['Diallo','Lindqvist','Tanaka','Keller','Raman','Moretti','Marques'])[1 + n % 7] || ' ' || to_hex(n * 7919 % 1048573)
      as last_name,
    ${momentOf("n", ":cards")} - interval '${PAST_DAYS} days' as at,
    n % ${FROZEN_EVERY} = 0 as frozen
  from generate_series(1, :cards) as n`;

/**
 * The fund movements: each card is credited in three of four rounds and debited in the fourth. The balances of card and
 * float after each movement are running sums.
 */
const MOVES = `
  select *, sum(signed) over (partition by card_n order by n) as card_after,
    ${FLOAT_AMOUNT} - sum(signed) over (order by n) as float_after
  from (
    select n, 1 + (n - 1) % :cards as card_n, 1 + (n - 1) / :cards as card_version,
      case when ((n - 1) / :cards) % 4 = 3 then -1 else 1 end * (100 + n * 31 % 400) as signed,
      ${momentOf("n", ":moves")} as at,
      pg_temp.id_of('transfer', n, ${momentOf("n", ":moves")}, :owner) as transfer_id,
      pg_temp.id_of('transaction', n, ${momentOf("n", ":moves")}, :owner) as transaction_id,
      pg_temp.id_of('event', n, ${momentOf("n", ":moves")}, :owner) as event_id
    from generate_series(1, :moves) as n
  ) as planned`;

const OUTSIDE = `(select id from ledger_accounts where integrator_id = :owner and kind = 'float') as float_id`;

const STATEMENTS: readonly string[] = [
  `create temporary table scale_cards on commit drop as ${CARDS}`,
  `create temporary table scale_moves on commit drop as
    select m.*, c.id as card_id, ${OUTSIDE} from (${MOVES}) m join scale_cards c on c.n = m.card_n`,
  `insert into cardholders (integrator_id, id, email, first_name, last_name, phone_number, id_type, id_last4, address,
      verified, created_at, updated_at)
    select :owner, holder, 'person' || n || '@cardholders.example', first_name, last_name, '+1555' || n, 'passport',
      '0000', '{"city":"Accra","country":"GH","line1":"2 Ring Road","line2":null,"state":"AA","zipCode":"00233"}', true,
      at, at
    from scale_cards`,
  `insert into ledger_accounts (integrator_id, id, kind, rank, currency, balance, held, version, event_sequence, status,
      expires_at, single_use, updated_at)
    select :owner, c.id, 'card', 1, 'USD', coalesce(m.balance, 0), 0, coalesce(m.moves, 0),
      1 + coalesce(m.moves, 0) + frozen::int, case when frozen then 'frozen' else 'active' end,
      now() + interval '3 years', false, at
    from scale_cards c
    left join (select card_id, sum(signed) as balance, count(*) as moves from scale_moves group by card_id) m
      on m.card_id = c.id
   `,
  `insert into cards (integrator_id, id, currency, cardholder_id, card_name, first_six, last4, design_type, single_use,
      provider, validity_days, metadata, freezes, created_at, updated_at)
    select :owner, id, 'USD', holder, first_name || ' ' || last_name, '222300', lpad((n * 7919 % 10000)::text, 4, '0'),
      'midnight', false, 'sandbox', 1095, '{}', case when frozen then jsonb_build_object('staff', jsonb_build_object(
        'frozen_at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'until', null, 'reason', 'lost',
        'reasons', '["lost"]'::jsonb, 'comment', null, 'actor', ${SYSTEM})) end, at, at
    from scale_cards`,
  `update ledger_accounts a set balance = ${FLOAT_AMOUNT} - m.moved, version = 1 + m.moves
    from (select coalesce(sum(signed), 0) as moved, count(*) as moves from scale_moves) m
    where a.integrator_id = :owner and a.kind = 'float'`,
  `insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id,
      idempotency_key, created_at)
    select :owner, transfer_id, case when signed > 0 then 'card_credit' else 'card_debit' end, 'USD',
      case when signed > 0 then float_id else card_id end, case when signed > 0 then card_id else float_id end,
      abs(signed), 'scale', 'scale ' || n, at
    from scale_moves order by n`,
  `insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
    select :owner, m.transfer_id, side.account_id, 'USD', side.amount, side.version, side.balance_after
    from scale_moves m, lateral (values (m.card_id, m.signed, m.card_version::bigint, m.card_after),
      (m.float_id, -m.signed, m.n::bigint + 1, m.float_after)) as side (account_id, amount, version, balance_after)
    order by m.n`,
  `insert into transactions (integrator_id, id, card_id, transfer_id, type, status, amount, currency, account_version,
      card_balance_before, card_balance_after, narrative, actor, request_id, created_at, settled_at)
    select :owner, transaction_id, card_id, transfer_id, case when signed > 0 then 'credit' else 'debit' end, 'settled',
      abs(signed), 'USD', card_version, card_after - signed, card_after,
      case when n % 2 = 0 then 'Allowance ' || to_hex(n * 7919::bigint % 1048573) end, ${SYSTEM}, 'scale', at, at
    from scale_moves order by n`,
  `insert into card_state_changes (integrator_id, id, card_id, from_status, to_status, reason, level, actor, request_id, created_at)
    select :owner, pg_temp.id_of('state ' || change, n, at + change * interval '1 day', :owner), id,
      case change when 1 then 'active' end, case change when 0 then 'active' else 'frozen' end,
      case change when 1 then 'lost' end, case change when 1 then 'staff' end, ${SYSTEM}, 'scale', at + change * interval '1 day'
    from scale_cards, generate_series(0, frozen::int) as change`,
  `insert into events (integrator_id, id, event, subject_type, subject_id, sequence, transfer_id, api_version, content,
      created_at)
    select :owner, e.id, e.event, 'card', e.card_id, e.sequence, e.transfer_id, '0.5.0',
      json_build_object('request_id', 'scale', 'actor', ${SYSTEM}, 'data', e.data::json, 'previous', null)::text, e.at
    from (
      select pg_temp.id_of('created', n, at, :owner) as id, 'card.created' as event, id as card_id, 1 as sequence,
        null::uuid as transfer_id, pg_temp.data_of(id, null) as data, at from scale_cards
      union all
      select event_id, case when signed > 0 then 'card.credited' else 'card.debited' end, card_id, 1 + card_version,
        transfer_id, pg_temp.data_of(card_id, abs(signed)), at from scale_moves
      union all
      select pg_temp.id_of('frozen', n, now(), :owner), 'card.frozen', id, 2 + :rounds, null, pg_temp.data_of(id, null),
        now()
        from scale_cards where frozen
    ) as e order by e.card_id, e.sequence`,
  `insert into audit_log (integrator_id, id, actor, action, target_type, target_id, after, request_id, created_at)
    select :owner, pg_temp.id_of('audit', n, at, :owner), ${SYSTEM},
      case when signed > 0 then 'card.credited' else 'card.debited' end, 'card', card_id,
      jsonb_build_object('amount', abs(signed), 'reference', transaction_id), 'scale', at
    from scale_moves order by n`,
  `insert into api_log (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms,
      request_id, created_at)
    select pg_temp.id_of('log', n, at, :owner), :owner, ${SYSTEM}, 'creditCard', 'PATCH',
      '/api/cards/credit/balance', case when n % ${FROZEN_EVERY} = 0 then 422 else 200 end,
      case when n % ${FROZEN_EVERY} = 0 then 'insufficient_float' end, null, card_id, 3, 'scale', at
    from scale_moves order by n`,
];
