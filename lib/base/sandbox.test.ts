import postgres from "postgres";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newOrigin, write } from "#test/scene/fixtures.ts";
import { inTransaction } from "#db/transaction.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { newId } from "#lib/base/ids.ts";
import { simulate } from "#lib/purchases/simulator.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";

/** As on a server started as a sandbox by mistake: the integrator's own environment decides. */
test("a live integrator cannot top up its float or simulate purchases on its cards", async () => {
  const live = await newIntegrator(0, "live");
  const [result] = await inTransaction(testDatabase().db, (tx) =>
    performAll(tx, moveFunds, [
      { kind: "top-up", actor: live.actor, request: newOrigin(), amount: 123_456 },
    ]),
  );
  expect(result).toMatchObject({ refusal: { code: "sandbox_only" } });
  const card = await newCard(live);
  for (const type of SIMULATIONS) {
    for (const declineWith of [null, "card_frozen"] as const) {
      const simulation = write(live, (ctx) =>
        simulate(ctx, card.id, {
          type,
          amount: 1,
          transactionId: newId(),
          declineWith,
          allowPartial: false,
          final: false,
          earlier: [],
          force: false,
          described: { narrative: null, merchant: null },
        }),
      );
      await expect(simulation).rejects.toMatchObject({ code: "sandbox_only" });
    }
  }
});

test("the database rejects a live top-up that the processor did not report, even from the owner of the tables", async () => {
  const live = await newIntegrator(0, "live");
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const topUp = owner.begin(async (sql) => {
    const accounts = await sql`
      select id, kind from ledger_accounts where integrator_id = ${live.id}`;
    const idOf = (kind: string) => String(accounts.find((row) => row["kind"] === kind)?.["id"]);
    const [transfer] = await sql`
      insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id)
      values (${live.id}, gen_random_uuid(), 'float_top_up', 'USD', ${idOf("bank")}, ${idOf("float")}, 5, 'attack')
      returning id`;
    const id = String(transfer?.["id"]);
    await sql`update ledger_accounts set balance = 5, version = 1 where id = ${idOf("float")}`;
    await sql`
      insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
      values (${live.id}, ${id}, ${idOf("bank")}, 'USD', -5, null, null),
        (${live.id}, ${id}, ${idOf("float")}, 'USD', 5, 1, 5)`;
  });
  await expect(topUp).rejects.toThrow(/^transfers_funding: /u);
  await owner.end();
});
