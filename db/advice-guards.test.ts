import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { attack, attackWithCopy } from "#test/database/attacks.ts";
import { testDatabase } from "#test/database/database.ts";
import { adviseOf, buy, holdId } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";

/** As in transaction-guards.test.ts, for what the card network approved in our place. */
let owner: postgres.Sql;
let held: string;
let unheld: string;
let ours: string;
let settled: string;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const integrator = await newIntegrator(1_000);
  const { id: cardId } = await newCard(integrator, 500);
  held = (await adviseOf(integrator, { cardId, amount: 50 })).transaction.id;
  ours = await holdId(integrator, { cardId, amount: 50 });
  settled = (await buy(integrator, { cardId, amount: 50 })).transaction.id;
  const { id: empty } = await newCard(integrator);
  unheld = (await adviseOf(integrator, { cardId: empty, amount: 50 })).transaction.id;
});

afterAll(() => owner.end());

describe("the database refuses, when asked directly", () => {
  test.each([
    ["is one of ours from now on", "approved_by = null, overruled_decline = null"],
    ["overruled another decline", "overruled_decline = 'card_frozen'"],
    ["overruled no decline", "overruled_decline = null"],
    ["holds something after all", "hold_amount = 1, hold_captured = 0, hold_released = 1"],
  ])("an advice that %s", async (_, set) => {
    expect(await attack(owner, set, unheld)).toMatch(/transactions_identity/u);
  });

  test("an approval of ours that becomes the network's, and a purchase", async () => {
    for (const id of [ours, settled]) {
      expect(await attack(owner, "approved_by = 'network'", id)).toMatch(/transactions_identity/u);
    }
  });

  test.each([
    ["by somebody else", { approved_by: "us" }],
    ["that was declined", { status: "declined", decline_reason: "x", decline_explanation: "x" }],
    ["that increments another", { increment_of: newId() }],
  ])("an approval %s", async (_, columns) => {
    expect(await attackWithCopy(owner, { id: newId(), ...columns }, unheld)).toMatch(
      /transactions_approved_by/u,
    );
  });

  test("an authorization of ours that overrules a decline, or is captured and holds nothing", async () => {
    expect(
      await attackWithCopy(owner, { id: newId(), overruled_decline: "card_frozen" }, ours),
    ).toMatch(/transactions_overruled/u);
    const nobodys = { id: newId(), approved_by: null, overruled_decline: null };
    expect(await attackWithCopy(owner, nobodys, unheld)).toMatch(/transactions_hold_status/u);
  });

  test("an advice that holds something while it says that it does not", async () => {
    expect(await attack(owner, "status = 'captured'", held)).toMatch(/transactions_hold_status/u);
  });
});
