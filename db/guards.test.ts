import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freezeCard, move, newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import { holdId } from "#test/scene/spending.ts";
import { closeCard } from "#lib/funds/close-card.ts";

/** An attacker with SQL access: as the server's own role, and as the owner of the tables. */
let server: postgres.Sql;
let owner: postgres.Sql;
let integrator: TestIntegrator;
let cardId: string;
let floatId: string;
let bankId: string;

beforeAll(async () => {
  const { url, ownerUrl } = testDatabase();
  server = postgres(url, { max: 2, onnotice: () => undefined });
  owner = postgres(ownerUrl, { max: 2, onnotice: () => undefined });
  integrator = await newIntegrator(1_000);
  cardId = (await newCard(integrator, 300)).id;
  floatId = await accountOf(integrator, "float");
  bankId = await accountOf(integrator, "bank");
});

afterAll(async () => {
  await server.end();
  await owner.end();
});

async function accountOf({ id }: TestIntegrator, kind: string): Promise<string> {
  const [row] = await server`
    select id from ledger_accounts where integrator_id = ${id} and kind = ${kind}`;
  return String(row?.["id"]);
}

/** Runs statements in one transaction and commits it, so that deferred checks run too. */
async function attack(
  statements: (sql: postgres.TransactionSql) => Promise<unknown>,
): Promise<string> {
  try {
    await owner.begin(statements);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Transfer {
  from: string;
  to: string;
  amount: number;
  of?: string;
  currency?: string;
}

async function insertTransfer(
  sql: postgres.TransactionSql,
  { from, to, amount, of = integrator.id, currency = "USD" }: Transfer,
): Promise<string> {
  const [row] = await sql`
    insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id)
    values (${of}, gen_random_uuid(), 'card_credit', ${currency}, ${from}, ${to}, ${amount}, 'attack') returning id`;
  return String(row?.["id"]);
}

function bankSide(sql: postgres.TransactionSql, transfer: string, amount: number) {
  return sql`
      insert into entries (integrator_id, transfer_id, account_id, currency, amount)
      values (${integrator.id}, ${transfer}, ${bankId}, 'USD', ${amount})`;
}

describe("the database refuses, when asked directly", () => {
  test.each([
    ["a negative card balance", -1, 0],
    ["held funds above the balance", 300, 301],
    ["a balance outside the safe integers", 9_007_199_254_740_992, 0],
  ])("%s", async (_, balance, held) => {
    const message = await attack(
      (sql) =>
        sql`update ledger_accounts set balance = ${balance}, held = ${held}, event_sequence = event_sequence + 1
          where id = ${cardId}`,
    );
    expect(message).toMatch(/ledger_accounts_(?:available|safe)/u);
  });

  test("negative held funds", async () => {
    expect(
      await attack(
        (sql) => sql`
          update ledger_accounts set held = -1, event_sequence = event_sequence + 1 where id = ${cardId}`,
      ),
    ).toMatch(/ledger_accounts_held/u);
  });

  test.each([0, -5, 1_000_000_000_001])("a transfer of %i", async (amount) => {
    expect(
      await attack((sql) => insertTransfer(sql, { from: floatId, to: cardId, amount })),
    ).toMatch(/transfers_amount/u);
  });

  test("a transfer from an account to itself", async () => {
    expect(
      await attack((sql) => insertTransfer(sql, { from: cardId, to: cardId, amount: 1 })),
    ).toMatch(/transfers_accounts/u);
  });

  test("a transfer to another integrator's account, and one in another currency", async () => {
    const stranger = await newCard(await newIntegrator());
    expect(
      await attack((sql) => insertTransfer(sql, { from: floatId, to: stranger.id, amount: 1 })),
    ).toMatch(/transfers_credit_account/u);
    expect(
      await attack((sql) =>
        insertTransfer(sql, { from: floatId, to: cardId, amount: 1, currency: "EUR" }),
      ),
    ).toMatch(/transfers_(?:debit|credit)_account/u);
  });

  test("a transfer without entries, at commit", async () => {
    expect(
      await attack((sql) => insertTransfer(sql, { from: floatId, to: cardId, amount: 1 })),
    ).toMatch(/transfers_balanced/u);
  });

  test("a transfer with one entry, and entries that do not match their transfer", async () => {
    expect(
      await attack(async (sql) =>
        bankSide(sql, await insertTransfer(sql, { from: bankId, to: floatId, amount: 10 }), -10),
      ),
    ).toMatch(/transfers_balanced/u);
    expect(
      await attack(async (sql) =>
        bankSide(sql, await insertTransfer(sql, { from: bankId, to: floatId, amount: 10 }), -11),
      ),
    ).toMatch(/entries_transfer_side/u);
  });

  test("a balance changed without an entry, at commit", async () => {
    expect(
      await attack(
        (sql) => sql`update ledger_accounts set balance = balance + 1 where id = ${cardId}`,
      ),
    ).toMatch(/ledger_accounts_balance/u);
  });

  test("a repeated account version, a gap in them, and a balance that does not follow", async () => {
    const post = (version: number, after: number) =>
      attack(async (sql) => {
        const transfer = await insertTransfer(sql, { from: bankId, to: floatId, amount: 10 });
        await sql`update ledger_accounts set balance = ${after}, version = ${version} where id = ${floatId}`;
        await sql`
          insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
          values (${integrator.id}, ${transfer}, ${bankId}, 'USD', -10, null, null),
            (${integrator.id}, ${transfer}, ${floatId}, 'USD', 10, ${version}, ${after})`;
      });
    const [float] =
      await server`select balance::int, version::int from ledger_accounts where id = ${floatId}`;
    const { balance, version } = {
      balance: Number(float?.["balance"]),
      version: Number(float?.["version"]),
    };
    expect(await post(version, balance + 10)).toMatch(/entries_account_version|entries_chain/u);
    expect(await post(version + 2, balance + 10)).toMatch(/entries_chain/u);
    expect(await post(version + 1, balance + 11)).toMatch(/entries_chain/u);
  });

  test("a gap in a subject's events", async () => {
    expect(
      await attack(
        (sql) => sql`
          insert into events (integrator_id, id, event, subject_type, subject_id, sequence, api_version, content)
          values (${integrator.id}, gen_random_uuid(), 'card.frozen', 'card', ${cardId}, 99, '0.5.0', '{}')`,
      ),
    ).toMatch(/events_gapless/u);
  });

  test("an event that the feed would list before an earlier one of its subject", async () => {
    const { id } = await newCard(integrator);
    expect(
      await attack(
        (sql) => sql`
          insert into events (integrator_id, id, event, subject_type, subject_id, sequence, api_version, content, xid)
          values (${integrator.id}, gen_random_uuid(), 'card.frozen', 'card', ${id}, 2, '0.5.0', '{}', '1'::xid8)`,
      ),
    ).toMatch(/events_feed_order/u);
  });

  test("closing a card that holds money", async () => {
    const { id } = await newCard(integrator, 20);
    expect(
      await attack(
        (sql) => sql`
          update ledger_accounts set status = 'closed', event_sequence = event_sequence + 1 where id = ${id}`,
      ),
    ).toMatch(/ledger_accounts_closed_empty/u);
  });

  test("what a closed card no longer holds, left on it, and something new held on it", async () => {
    const { id } = await newCard(integrator, 20);
    const hold = await holdId(integrator, { cardId: id, amount: 10 });
    await write(integrator, (ctx) => closeCard(ctx, id, { comment: null }));
    const setHeld = (by: number) => (sql: postgres.TransactionSql) =>
      sql`update ledger_accounts set held = held + ${by}, event_sequence = event_sequence + 1 where id = ${id}`;
    expect(
      await attack(async (sql) => {
        await setHeld(-10)(sql);
        await sql`update transactions set hold_released = 10, status = 'reversed' where id = ${hold}`;
      }),
    ).toMatch(/ledger_accounts_closed_empty/u);
    expect(await attack(setHeld(1))).toMatch(/ledger_accounts_closed_held/u);
  });

  test.each(["", ", event_sequence = event_sequence + 1"])(
    "a status without its event%s",
    async (counted) => {
      const { id } = await newCard(integrator);
      const thaw = (sql: postgres.TransactionSql) =>
        sql.unsafe(`update ledger_accounts set status = 'active'${counted} where id = '${id}'`);
      const freeze = (sql: postgres.TransactionSql) =>
        sql.unsafe(`update ledger_accounts set status = 'frozen'${counted} where id = '${id}'`);
      expect(await attack(freeze)).toMatch(/ledger_accounts_(?:status_)?event/u);
      await write(integrator, (ctx) => freezeCard(ctx, id, { reason: null, comment: null }));
      expect(await attack(thaw)).toMatch(/ledger_accounts_(?:status_)?event/u);
    },
  );

  test.each([
    ["held = held + 1", /ledger_accounts_event/u],
    ["held = held - 1", /ledger_accounts_event/u],
    ["held = held - 1, event_sequence = event_sequence + 1", /ledger_accounts_holds/u],
  ])("held funds that no authorization explains: %s", async (set, message) => {
    const { id } = await newCard(integrator, 20);
    await holdId(integrator, { cardId: id, amount: 10 });
    expect(
      await attack((sql) => sql.unsafe(`update ledger_accounts set ${set} where id = '${id}'`)),
    ).toMatch(message);
  });

  test("reopening a closed card, and removing an account", async () => {
    const closed = await newCard(integrator);
    await write(integrator, (ctx) => closeCard(ctx, closed.id, { comment: null }));
    expect(
      await attack(
        (sql) => sql`update ledger_accounts set status = 'active' where id = ${closed.id}`,
      ),
    ).toMatch(/ledger_accounts_closed/u);
    expect(await attack((sql) => sql`delete from ledger_accounts where id = ${closed.id}`)).toMatch(
      /ledger_accounts_kept/u,
    );
  });

  test("one idempotency key on two transfers", async () => {
    const key = "once-for-ever";
    await move(integrator, { kind: "credit", cardId, amount: 1, idempotencyKey: key });
    const again = move(integrator, { kind: "credit", cardId, amount: 1, idempotencyKey: key });
    await expect(again).rejects.toThrow();
  });
});

describe.each([
  "transfers",
  "entries",
  "events",
  "audit_log",
  "card_state_changes",
  "processor_operations",
])("rows of %s", (table) => {
  test("cannot be changed, removed, or truncated, even by the owner", async () => {
    const name = owner(table);
    const refused = /append_only|cannot truncate/u;
    expect(await attack((sql) => sql`update ${name} set integrator_id = integrator_id`)).toMatch(
      refused,
    );
    expect(await attack((sql) => sql`delete from ${name}`)).toMatch(refused);
    expect(await attack((sql) => sql`truncate ${name} cascade`)).toMatch(refused);
  });

  test("cannot be changed by the server's role either", async () => {
    const name = server(table);
    await expect(server`update ${name} set integrator_id = integrator_id`).rejects.toThrow(
      /permission denied/u,
    );
    await expect(server`delete from ${name}`).rejects.toThrow(/permission denied/u);
    await expect(server`truncate ${name}`).rejects.toThrow(/permission denied/u);
  });
});

test("no function of the database notifies: a commit that does waits for every other one", async () => {
  const found = await owner`
    select proname from pg_proc
    where pronamespace = 'public'::regnamespace and prosrc ~* '\\mnotify\\M|pg_notify'`;
  expect(found).toEqual([]);
});
