import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { attack, attackWithCopy } from "#test/database/attacks.ts";
import { testDatabase } from "#test/database/database.ts";
import { buy, capture, refundPurchase, holdId, post, reverse } from "#test/scene/spending.ts";

/**
 * As in guards.test.ts: an attacker who owns the tables, and the changes to card transactions they are
 * refused.
 */
let owner: postgres.Sql;
let open: string;
let authorized: string;
let settled: string;
let reversed: string;
let given: string;
let verified: string;
let declined: string;
let covered: string;
let cover: string;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const integrator = await newIntegrator(1_000);
  const { id: cardId } = await newCard(integrator, 500);
  open = await holdId(integrator, { cardId, amount: 100 });
  await capture(integrator, open, { amount: 30 });
  authorized = await holdId(integrator, { cardId, amount: 40 });
  reversed = await holdId(integrator, { cardId, amount: 10 });
  await reverse(integrator, reversed);
  settled = (await buy(integrator, { cardId, amount: 50 })).transaction.id;
  verified = await holdId(integrator, { cardId, amount: 0 });
  declined = await holdId(integrator, { cardId, amount: 10_000 });
  given = (await refundPurchase(integrator, { cardId, transactionId: settled, amount: 20 })).id;
  const { id: empty } = await newCard(integrator);
  covered = (await post(integrator, { cardId: empty, amount: 9 })).id;
  [{ id: cover }] = await owner`select id from transactions where cover_of = ${covered}`;
});

afterAll(() => owner.end());

/** Moves 5 between accounts of these kinds, with all that the ledger itself would write. */
async function moveUnnoticed(
  { id }: TestIntegrator,
  { from, to }: { from: string; to: string },
): Promise<string> {
  try {
    await owner.begin(async (sql) => {
      const [moved] = await sql`
        insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id)
        select d.integrator_id, gen_random_uuid(), 'cover', d.currency, d.id, c.id, 5, 'attack'
        from ledger_accounts d join ledger_accounts c on c.integrator_id = d.integrator_id
        where d.integrator_id = ${id} and d.kind = ${from} and c.kind = ${to} returning id`;
      await sql`
        update ledger_accounts set balance = balance + case kind when ${from} then -5 else 5 end, version = version + 1
        where integrator_id = ${id} and kind in (${from}, ${to}) and balance is not null`;
      await sql`
        insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
        select integrator_id, ${String(moved?.["id"])}, id, currency, case kind when ${from} then -5 else 5 end,
          case when balance is not null then version end, balance
        from ledger_accounts where integrator_id = ${id} and kind in (${from}, ${to})`;
    });
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the database refuses, when asked directly", () => {
  test.each([
    ["more captured than was held", "hold_captured = 101", /transactions_hold/u],
    ["more captured and released than was held", "hold_released = 71", /transactions_hold/u],
    ["a decreasing capture", "hold_captured = 29", /transactions_grow/u],
    ["another hold, after a capture", "hold_amount = 200", /transactions_increment/u],
    ["no hold", "hold_amount = null", /transactions_identity/u],
    ["a hold without an end", "hold_expires_at = null", /transactions_hold/u],
    ["a settled row authorized again", "status = 'authorized'", /transactions_final/u],
    ["more captured than its captures", "hold_captured = 31", /transactions_sums/u],
  ])("%s", async (_, set, message) => {
    expect(await attack(owner, set, open)).toMatch(message);
  });

  test.each([
    ["more refunded than was paid", "refunded = 51", /transactions_refunded/u],
    ["a decreasing refund", "refunded = 19", /transactions_sums/u],
    ["more refunded than its refunds", "refunded = 21", /transactions_sums/u],
    ["another merchant", `merchant = '{"name": "Elsewhere"}'`, /transactions_identity/u],
    ["another narrative", "narrative = 'Elsewhere'", /transactions_identity/u],
    ["another text as it came", `as_received = '{"narrative": "x"}'`, /transactions_identity/u],
    ["words that nobody said", "authorized_as = '{}'", /transactions_identity/u],
    ["another time of the network", "occurred_at = now()", /transactions_identity/u],
    ["a decline that was forced after all", "decline_forced = true", /transactions_identity/u],
    ["another actor", `actor = '{"type": "system"}'`, /transactions_identity/u],
    ["a different amount for a settled transaction", "amount = 51", /transactions_money/u],
    [
      "a different balance for a settled transaction",
      "card_balance_after = 0",
      /transactions_money/u,
    ],
    [
      "a new hold on a transaction without one",
      "hold_amount = 1",
      /transactions_(?:identity|hold)/u,
    ],
  ])("%s", async (_, set, message) => {
    expect(await attack(owner, set, settled)).toMatch(message);
  });

  test.each([
    ["other words than a clearing's", "narrative = 'Elsewhere'"],
    ["a clearing's words without what they replace", "status = 'settled', narrative = 'Elsewhere'"],
    [
      "a clearing's words beside what the authorization did not say",
      `status = 'settled', narrative = 'Elsewhere', authorized_as = '{"narrative": "Nowhere"}'`,
    ],
  ])("%s", async (_, set) => {
    expect(await attack(owner, set, authorized)).toMatch(/transactions_identity/u);
  });

  test("what an authorization said, where nothing settled", async () => {
    expect(await attackWithCopy(owner, { authorized_as: {} }, authorized)).toMatch(
      /transactions_authorized_as/u,
    );
  });

  test.each([
    ["another cover", "covered_float = 8", /transactions_money/u],
    ["no cover", "covered_float = null, covered_deficit = null", /transactions_money/u],
    ["an approval afterward", "posted_as = 'authorized'", /transactions_money/u],
    [
      "a refund that keeps the cover on the card",
      "refunded = 4",
      /transactions_(?:sums|cover_sums)/u,
    ],
  ])("of a purchase that was covered: %s", async (_, set, message) => {
    expect(await attack(owner, set, covered)).toMatch(message);
  });

  test("cover of no purchase, or of another one", async () => {
    expect(await attack(owner, "cover_of = null", cover)).toMatch(/transactions_identity/u);
    expect(await attack(owner, `cover_of = '${settled}'`, cover)).toMatch(/transactions_identity/u);
    await expect(
      owner.unsafe(`insert into transactions select (t).* from (
        select jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'account_version', 999)) as t
        from transactions t where id = '${cover}') copy`),
    ).rejects.toThrow(/transactions_cover_sums/u);
  });

  test("a deficit beside a float with money, however it comes about, and one above zero", async () => {
    const [owing, solvent] = [await newIntegrator(10), await newIntegrator(10)];
    await post(owing, { cardId: (await newCard(owing)).id, amount: 25 });
    expect(await moveUnnoticed(owing, { from: "bank", to: "float" })).toMatch(
      /ledger_accounts_deficit/u,
    );
    expect(await moveUnnoticed(solvent, { from: "deficit", to: "bank" })).toMatch(
      /ledger_accounts_deficit/u,
    );
    await expect(
      owner`update ledger_accounts set balance = 1 where integrator_id = ${owing.id} and kind = 'deficit'`,
    ).rejects.toThrow(/ledger_accounts_available/u);
  });

  test("another amount, or other balances, of an open authorization", async () => {
    expect(await attack(owner, "amount = 41", authorized)).toMatch(/transactions_money/u);
    expect(await attack(owner, "card_balance_after = 1", authorized)).toMatch(
      /transactions_money/u,
    );
  });

  test("settling a reversed row, a refund without a purchase, and removing a row", async () => {
    expect(await attack(owner, "status = 'settled'", reversed)).toMatch(/transactions_final/u);
    expect(await attack(owner, "refund_of = null", given)).toMatch(
      /transactions_(?:identity|refund)/u,
    );
    await expect(owner`delete from transactions where id = ${settled}`).rejects.toThrow(
      /transactions_kept/u,
    );
  });

  test.each([
    ["for an amount", { amount: 1 }, /transactions_amount/u],
    ["that holds", { hold_amount: 1, hold_captured: 0, hold_released: 0 }, /transactions_hold/u],
    ["that is reversed", { status: "reversed" }, /transactions_(?:amount|hold_status)/u],
    ["that is settled", { status: "settled" }, /transactions_(?:amount|settled|version)/u],
  ])("a verification %s", async (_, columns, message) => {
    expect(await attackWithCopy(owner, columns, verified)).toMatch(message);
  });

  test.each([
    ["for as much as was asked for", 40, /transactions_requested/u],
    ["for more than was asked for", 39, /transactions_requested/u],
  ])("an authorization in part %s", async (_, requested_amount, message) => {
    expect(await attackWithCopy(owner, { requested_amount }, authorized)).toMatch(message);
  });

  test("an amount that was asked for, of a transaction without a hold or afterward", async () => {
    const requested = { requested_amount: 100 };
    expect(await attackWithCopy(owner, requested, declined)).toMatch(/transactions_requested/u);
    expect(await attackWithCopy(owner, requested, verified)).toMatch(/transactions_requested/u);
    expect(await attack(owner, "requested_amount = 100", authorized)).toMatch(
      /transactions_identity/u,
    );
  });

  test.each([
    ["that shrinks", "hold_amount = 39, amount = 39", /transactions_increment:/u],
    ["that grows alone", "hold_amount = 41", /transactions_money/u],
    ["that grows less than its amount", "hold_amount = 41, amount = 42", /transactions_money/u],
    [
      "that grows while it is released",
      "hold_amount = 41, amount = 41, hold_released = 1",
      /transactions_increment:/u,
    ],
    [
      "that grows and lasts longer",
      "hold_amount = 41, amount = 41, hold_expires_at = now()",
      /transactions_increment:/u,
    ],
    [
      "that grows as it is reversed",
      "hold_amount = 41, amount = 41, hold_released = 41, status = 'reversed'",
      /transactions_increment:/u,
    ],
    [
      "that grows without what its card holds",
      "hold_amount = 41, amount = 41",
      /transactions_increment_held/u,
    ],
    [
      "that grows without what was asked for",
      "hold_amount = 41, amount = 41, requested_amount = 50",
      /transactions_identity/u,
    ],
  ])("a hold %s", async (_, set, message) => {
    expect(await attack(owner, set, authorized)).toMatch(message);
  });

  test("a reversed hold that grows", async () => {
    expect(await attack(owner, "hold_amount = 11, amount = 11", reversed)).toMatch(
      /transactions_increment:/u,
    );
  });

  test.each([
    ["without its currency", { merchant_amount: 1 }],
    ["that is missing", { merchant_currency: "EUR" }],
    ["below zero", { merchant_amount: -1, merchant_currency: "EUR" }],
    ["in no currency", { merchant_amount: 1, merchant_currency: "euro" }],
  ])("a merchant's amount %s", async (_, columns) => {
    expect(await attackWithCopy(owner, columns, declined)).toMatch(/transactions_merchant_amount/u);
  });

  test("a merchant's amount that is given afterward", async () => {
    const set = "merchant_amount = 1, merchant_currency = 'EUR'";
    expect(await attack(owner, set, authorized)).toMatch(/transactions_identity/u);
  });

  test("a verification that changes afterward", async () => {
    expect(await attack(owner, "status = 'reversed'", verified)).toMatch(/transactions_/u);
    expect(await attack(owner, "amount = 1", verified)).toMatch(/transactions_money/u);
    expect(await attack(owner, "type = 'deduct'", verified)).toMatch(/transactions_identity/u);
  });

  test.each(["deduct", "deduct-reversal", "credit", "debit"])(
    "the amount 0 of a %s, and one that is authorized without a hold",
    async (type) => {
      expect(await attackWithCopy(owner, { type, amount: 0 }, declined)).toMatch(
        /transactions_amount/u,
      );
      const approved = { type, status: "authorized", decline_reason: null };
      expect(
        await attackWithCopy(owner, { ...approved, decline_explanation: null }, declined),
      ).toMatch(/transactions_hold_status/u);
    },
  );
});

test("a copy that keeps the rules is accepted, so what is refused above is the change", async () => {
  expect(await attackWithCopy(owner, {}, verified)).toBe("accepted");
  expect(await attackWithCopy(owner, {}, declined)).toBe("accepted");
});
