import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newApproval } from "#test/scene/approvals.ts";
import { newStaff } from "#test/scene/staff.ts";
import { newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, holdId, post } from "#test/scene/spending.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { newId } from "#lib/base/ids.ts";
import { closeCard } from "#lib/funds/close-card.ts";

/**
 * An attacker who has the server's role and may, against our advice, create temporary tables. Unless a function says where
 * it looks for a table, it finds a temporary one first.
 */
let server: postgres.Sql;
let owner: postgres.Sql;
let role: string;
let integrator: TestIntegrator;
let stranger: TestIntegrator;
/** With a float that owes something. */
let owing: TestIntegrator;
let live: TestIntegrator;
let card: Card;
/** Closed, and its cardholder is erased. */
let erased: Card;
let held: string;
/** With a narrative, by the first card and by the erased one. */
let paid: string;
let erasedPaid: string;
let covered: string;
let [approval, operator] = ["", ""];

beforeAll(async () => {
  const { name, directUrl, ownerUrl } = testDatabase();
  role = new URL(directUrl).username;
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(`grant temporary on database ${name} to ${role}`);
  [integrator, stranger] = [await newIntegrator(1_000), await newIntegrator()];
  owing = await newIntegrator(10);
  await post(owing, { cardId: (await newCard(owing)).id, amount: 25 });
  live = await newIntegrator(0, "live");
  card = await newCard(integrator, 300);
  erased = await newCard(integrator, 100);
  held = await holdId(integrator, { cardId: card.id, amount: 40 });
  [paid, erasedPaid] = [await payWith(card), await payWith(erased)];
  covered = (await post(integrator, { cardId: (await newCard(integrator)).id, amount: 9 })).id;
  approval = await newApproval(integrator, { cardId: card.id });
  operator = (await newStaff(integrator.id, "operator")).id;
  await write(integrator, (ctx) => closeCard(ctx, erased.id, { comment: null }));
  await owner`update cardholders set erased_at = now(), erasure_passes = 1 where id = ${erased.cardholderId}`;
  await setWebhookUrl(stranger, "https://hooks.example/");
  server = postgres(directUrl, { max: 1, onnotice: () => undefined });
  for (const table of await tables()) {
    // Whoever reads it is refused, so that not what it holds decides what a test notices.
    await server.unsafe(
      `create temporary table ${table} (like public.${table}); revoke all on pg_temp.${table} from ${role}`,
    );
  }
});

afterAll(async () => {
  await server.end();
  await owner.end();
});

async function payWith({ id: cardId }: Card): Promise<string> {
  const wanted = { cardId, amount: 10, narrative: "To Lin" };
  return (await buy(integrator, wanted)).transaction.id;
}

async function tables(): Promise<string[]> {
  const rows = await owner`select tablename as name from pg_tables where schemaname = 'public'`;
  return rows.map((row) => String(row["name"]));
}

interface Attack {
  /** A constraint that is checked at once, and so before others that would refuse the same. */
  first?: string;
  statement: () => string;
  answer: RegExp;
}

/** Another row like that of this id. */
function copy(table: string, id: string, changes: object): string {
  return `insert into public.${table} select c.* from public.${table} x cross join lateral
    jsonb_populate_record(x, '${JSON.stringify({ id: newId(), ...changes })}') c where x.id = '${id}'`;
}

function transfer({ id }: TestIntegrator, kind: string): string {
  return `insert into public.transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id)
    select d.integrator_id, '${newId()}', '${kind}', 'USD', d.id, c.id, 5, 'attack' from public.ledger_accounts d
    join public.ledger_accounts c on c.integrator_id = d.integrator_id and c.kind = 'float'
    where d.integrator_id = '${id}' and d.kind = 'bank'`;
}

const updateCard = (set: string) =>
  `update public.ledger_accounts set ${set}, event_sequence = event_sequence + 1 where id = '${card.id}'`;

const updateTransaction = (set: string, id: string) =>
  `update public.transactions set ${set} where id = '${id}'`;

const A_FREEZE = `{"staff": {"frozen_at": "2026-01-01T00:00:00.000Z", "until": null, "reason": null, "reasons": [], "comment": null, "actor": {}}}`;

/** For each function that reads tables, what it refuses, or what it makes of a row. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  check_transfer: {
    statement: () => transfer(integrator, "float_top_up"),
    answer: /^transfers_balanced/u,
  },
  check_entries: {
    statement: () => `with moved as (${transfer(integrator, "float_top_up")} returning *)
      insert into public.entries (integrator_id, transfer_id, account_id, currency, amount)
      select integrator_id, id, debit_account_id, currency, -6 from moved`,
    answer: /^entries_transfer_side/u,
  },
  check_account: {
    statement: () => updateCard("balance = balance + 100000000"),
    answer: /^ledger_accounts_balance/u,
  },
  check_closed: {
    statement: () => updateCard("status = 'closed'"),
    answer: /^ledger_accounts_closed_empty/u,
  },
  check_held: {
    statement: () => updateCard("held = held - 1"),
    answer: /^ledger_accounts_holds/u,
  },
  check_deficit: {
    first: "ledger_accounts_deficit",
    statement: () =>
      `update public.ledger_accounts set balance = 1 where integrator_id = '${owing.id}' and kind = 'float'`,
    answer: /^ledger_accounts_deficit/u,
  },
  check_top_up: {
    first: "transfers_funding",
    statement: () => transfer(live, "float_top_up"),
    answer: /^transfers_funding/u,
  },
  is_card_erased: {
    statement: () => updateTransaction("narrative = null", paid),
    answer: /^transactions_identity/u,
  },
  check_increment: {
    statement: () => updateTransaction("hold_amount = 41, amount = 41", held),
    answer: /^transactions_increment_held/u,
  },
  drop_narrative: {
    statement: () =>
      `${copy("transactions", erasedPaid, { narrative: "To Lin", account_version: 99 })} returning narrative`,
    answer: /^accepted \{"narrative":null\}/u,
  },
  check_transaction_sums: {
    statement: () => updateTransaction("refunded = 1", paid),
    answer: /^transactions_sums/u,
  },
  check_cover: {
    first: "transactions_cover_changed",
    statement: () => updateTransaction("refunded = 4", covered),
    answer: /^transactions_cover_sums/u,
  },
  is_refunded: {
    first: "transactions_sums",
    statement: () => updateTransaction("refunded = 1", paid),
    answer: /^transactions_sums/u,
  },
  is_cover_returned: {
    first: "transactions_cover_changed",
    statement: () => updateTransaction("refunded = 4", covered),
    answer: /^transactions_cover_sums/u,
  },
  check_taken_back: {
    first: "transactions_contra_named",
    statement: () => updateTransaction("taken_back = 10", paid),
    answer: /^transactions_contra_sums/u,
  },
  check_events: {
    statement: () => `
      insert into public.events (integrator_id, id, event, subject_type, subject_id, sequence, api_version, content)
      values ('${integrator.id}', '${newId()}', 'card.frozen', 'card', '${card.id}', 99, '0.5.0', '{}')`,
    answer: /^events_gapless/u,
  },
  check_deliveries: {
    statement: () => `
      insert into public.webhook_deliveries (endpoint_id, event_id, event, due_at)
      select '${stranger.id}', id, event, now() from public.events where integrator_id = '${integrator.id}' limit 1`,
    answer: /^webhook_deliveries_event/u,
  },
  check_status_event: {
    first: "ledger_accounts_status_event",
    statement: () => updateCard("status = 'frozen'"),
    answer: /^ledger_accounts_status_event/u,
  },
  check_freezes: {
    statement: () => `update public.cards set freezes = '${A_FREEZE}' where id = '${card.id}'`,
    answer: /^cards_freezes_account/u,
  },
  check_integrator_environment: {
    statement: () => `
      insert into public.installation (id, environment, secret_check) values ('installation', 'sandbox', 'none');
      ${copy("integrators", integrator.id, { environment: "live" })}`,
    answer: /^integrators_environment/u,
  },
  set_staff_vouched: {
    statement: () => `
      insert into public.staff (integrator_id, id, email, first_name, last_name, role)
      values ('${integrator.id}', '${newId()}', 'mallory@example.com', 'Mallory', 'Winter', 'viewer') returning email_vouched`,
    answer: /^accepted \{"email_vouched":true\}/u,
  },
  keep_personal_values: {
    statement: () => `
      insert into public.personal_values (integrator_id, record_id, cardholder_id, content)
      values ('${integrator.id}', '${newId()}', '${erased.cardholderId}', '{}')`,
    answer: /^personal_values_erased/u,
  },
  check_erasure: {
    statement: () =>
      `update public.cardholders set erased_at = now() where id = '${card.cardholderId}'`,
    answer: /^cardholders_erased_cards/u,
  },
  check_replacement: {
    statement: () => `update public.cards set replaced_by = '${erased.id}' where id = '${card.id}'`,
    answer: /^cards_replacement/u,
  },
  check_approval: {
    statement:
      () => `update public.approvals set status = 'approved', decider_id = '${operator}', decided_by = '{}',
      decided_at = clock_timestamp() where id = '${approval}'`,
    answer: /^approvals_approver/u,
  },
  check_card_owner: {
    statement: () =>
      `update public.cards set cardholder_id = '${erased.cardholderId}' where id = '${card.id}'`,
    answer: /^cards_erased/u,
  },
};

class Undone extends Error {}

/** Runs the attack to the end of its transaction, except for the COMMIT. */
async function attack({ first, statement }: Attack): Promise<string> {
  let last = "";
  try {
    await server.begin(async (sql) => {
      await sql.unsafe(first ? `set constraints public.${first} immediate` : "select");
      last = JSON.stringify((await sql.unsafe(statement())).flat().at(-1) ?? null);
      await sql`set constraints all immediate`;
      throw new Undone();
    });
    return "committed";
  } catch (error) {
    return error instanceof Undone ? `accepted ${last}` : String(error).replace(/^\w+: /u, "");
  }
}

test.each(Object.entries(ATTACKS))("%s reads no shadow of a table", async (_, tried) => {
  expect(await attack(tried)).toMatch(tried.answer);
});

test("every function that reads a table is attacked", async () => {
  const names = (await tables()).join("|");
  const rows = await owner`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace
      and has_function_privilege(${role}, oid, 'execute') and not prosecdef
      and prosrc ~ ${String.raw`\m(from|join)\s+(${names})\M`} order by name`;
  expect(rows.map((row) => row["name"])).toEqual(Object.keys(ATTACKS).toSorted());
});

test("a balance does not rise by what a temporary table says", async () => {
  const thief = postgres(testDatabase().directUrl, { max: 1, onnotice: () => undefined });
  const stolen = thief.begin(async (sql) => {
    await sql`create temporary table entries (like public.entries)`;
    await sql`
      insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
      select integrator_id, gen_random_uuid(), id, currency, 100000000, version + 1, balance + 100000000
      from public.ledger_accounts where id = ${card.id}`;
    await sql`
      update public.ledger_accounts set balance = balance + 100000000, version = version + 1 where id = ${card.id}`;
  });
  await expect(stolen).rejects.toThrow(/^ledger_accounts_balance/u);
  await thief.end();
});

/**
 * A body that is text is parsed when it runs, in the session of whoever runs it. One that begins with `return` was bound to
 * what it names when it was created.
 */
test("every function whose body is text looks for tables in our schema, and in the temporary one last", async () => {
  const rows = await owner`
    select p.oid::regprocedure::text as name from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
      and l.lanname in ('sql', 'plpgsql') and p.prosqlbody is null
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
      -- One that has its owner's rights does not even look in a schema where others may create something.
      and not coalesce(p.proconfig, '{}')
        && array['search_path=pg_catalog, public, pg_temp', case when p.prosecdef then 'search_path=pg_catalog, pg_temp' end]`;
  expect(rows.map((row) => row["name"])).toEqual([]);
});
