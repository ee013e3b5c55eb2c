import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import {
  freezeCard,
  newCard,
  newIntegrator,
  newProcessorKey,
  write,
} from "#test/scene/fixtures.ts";
import { buy, capture, refundPurchase, holdId, post } from "#test/scene/spending.ts";
import { tamper } from "#test/database/tamper.ts";
import { newId } from "#lib/base/ids.ts";
import { inSnapshot } from "#db/long-transactions.ts";
import {
  findDiscrepanciesEverywhere,
  findDiscrepanciesSince,
  verifyBooks,
} from "#lib/ledger/verify.ts";

let cardId: string;
let openId: string;
let boughtId: string;
let authorizedId: string;
let frozenId: string;
let coveredId: string;

beforeAll(async () => {
  const integrator = await newIntegrator(1_000);
  cardId = (await newCard(integrator, 500)).id;
  openId = await holdId(integrator, { cardId, amount: 100 });
  await capture(integrator, openId, { amount: 30 });
  await capture(integrator, openId, { amount: 20 });
  authorizedId = await holdId(integrator, { cardId, amount: 40 });
  frozenId = (await newCard(integrator, 50)).id;
  await write(integrator, (ctx) => freezeCard(ctx, frozenId, { reason: null, comment: null }));
  coveredId = (await post(integrator, { cardId: (await newCard(integrator)).id, amount: 9 })).id;
  boughtId = (await buy(integrator, { cardId, amount: 50 })).transaction.id;
  await refundPurchase(integrator, { cardId, transactionId: boughtId, amount: 20 });
});

function since(xid: string) {
  return inSnapshot(testDatabase().db, (tx) => findDiscrepanciesSince(tx, xid));
}

test.each([
  [
    "an account's held funds are the sum of its open authorizations",
    () => ["ledger_accounts set held = held + 1", "ledger_accounts set held = held - 1", cardId],
  ],
  [
    "a hold's captured amount matches its captures, up to what was not released",
    () => [
      "transactions set hold_captured = 49, hold_released = 1",
      "transactions set hold_captured = 50, hold_released = 0",
      openId,
    ],
  ],
  [
    "an authorization that has not settled is for the amount of its hold",
    () => ["transactions set amount = 41", "transactions set amount = 40", authorizedId],
  ],
  [
    "the refunded amount of a purchase is the sum of its refunds, up to all of it",
    () => ["transactions set refunded = 19", "transactions set refunded = 20", boughtId],
  ],
  [
    "what covered a purchase came to its card, and its refunds gave it back first",
    () => [
      "transactions set covered_float = 8, covered_deficit = 1",
      "transactions set covered_float = 9, covered_deficit = 0",
      coveredId,
    ],
  ],
  [
    "what a card has not returned is its purchases' cover without what was given back",
    () => [
      "cards set cover_outstanding = cover_outstanding + 1",
      "cards set cover_outstanding = cover_outstanding - 1",
      cardId,
    ],
  ],
  [
    "what was taken back has one contra",
    () => ["transactions set taken_back = amount", "transactions set taken_back = 0", boughtId],
  ],
  [
    "a card's transactions match its transfers and the balances of its entries",
    () => [
      "transactions set card_balance_before = card_balance_before - 1",
      "transactions set card_balance_before = card_balance_before + 1",
      boughtId,
    ],
  ],
])("detected alone, and by both checks, when it is broken: %s", async (rule, toTampering) => {
  const { db } = testDatabase();
  const [breaking, restoring, id] = toTampering();
  expect(await verifyBooks(db)).toEqual([]);
  await tamper(`update ${breaking} where id = '${id}'`);
  try {
    const { discrepancies } = await inSnapshot(db, findDiscrepanciesEverywhere);
    expect(discrepancies.map((discrepancy) => discrepancy.rule)).toEqual([rule]);
    expect((await since("0")).discrepancies).toEqual(discrepancies);
  } finally {
    await tamper(`update ${restoring} where id = '${id}'`);
  }
});

test.each([
  [
    "an account's balance equals that of its last entry",
    () => `update ledger_accounts set balance = balance + 1 where id = '${cardId}'`,
    () => `update ledger_accounts set balance = balance - 1 where id = '${cardId}'`,
  ],
  [
    "an entry follows the previous one without a gap",
    () =>
      `update entries set amount = amount - 1 where account_version = 2 and account_id = '${cardId}'`,
    () =>
      `update entries set amount = amount + 1 where account_version = 2 and account_id = '${cardId}'`,
  ],
])(
  "money that its entries do not explain: %s, in both checks",
  async (rule, breaking, restoring) => {
    const { db } = testDatabase();
    await tamper(breaking());
    try {
      const inFull = (await inSnapshot(db, findDiscrepanciesEverywhere)).discrepancies.map(
        (discrepancy) => discrepancy.rule,
      );
      expect(inFull).toContain(rule);
      expect(inFull).toContain("a balance is the sum of its entries, and its version their number");
      expect((await since("0")).discrepancies.map((discrepancy) => discrepancy.rule)).toContain(
        rule,
      );
    } finally {
      await tamper(restoring());
    }
  },
);

test("verify finds a deficit beside a float with money", async () => {
  const integrator = await newIntegrator(10);
  await post(integrator, { cardId: (await newCard(integrator)).id, amount: 25 });
  const { db } = testDatabase();
  const addToFloat = (amount: number) =>
    tamper(
      `update ledger_accounts set balance = balance + ${amount} where integrator_id = '${integrator.id}' and kind = 'float'`,
    );
  await addToFloat(1);
  const rules = (await verifyBooks(db)).map(({ rule }) => rule);
  expect(rules).toContain("a deficit stands only while its float is empty");
  await addToFloat(-1);
  expect(await verifyBooks(db)).toEqual([]);
});

test("the running check covers a hold, although it moves no money", async () => {
  const { db } = testDatabase();
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 100);
  const { xid } = await inSnapshot(db, findDiscrepanciesEverywhere);
  await holdId(integrator, { cardId: card.id, amount: 10 });
  await tamper(`update ledger_accounts set held = 11 where id = '${card.id}'`);
  expect((await since(xid)).discrepancies).toMatchObject([{ about: card.id }]);
  await tamper(`update ledger_accounts set held = 10 where id = '${card.id}'`);
});

/** What verify finds about the frozen card. */
async function findRules(): Promise<string[]> {
  const found = await verifyBooks(testDatabase().db);
  return found.filter(({ about }) => about === frozenId).map(({ rule }) => rule);
}

function become(status: string): Promise<void> {
  return tamper(`update ledger_accounts set status = '${status}' where id = '${frozenId}'`);
}

test("verify finds a status without its event, and a closed card that still holds money", async () => {
  expect(await findRules()).toEqual([]);
  await become("active");
  expect(await findRules()).toEqual([
    "a card is frozen while a freeze of it stands, until the end that its account knows",
    "a card's status is that of the last event about it",
  ]);
  await become("closed");
  expect(await findRules()).toEqual([
    "a closed card has only what its open authorizations hold",
    "a card is frozen while a freeze of it stands, until the end that its account knows",
    "a card's status is that of the last event about it",
  ]);
  await become("frozen");
  expect(await findRules()).toEqual([]);
});

test("verify finds a clearing message of the card network that was answered and dropped", async () => {
  const key = await newProcessorKey();
  const report = { reference: newId(), card_id: cardId, amount: 5 };
  const { json } = await call("POST /processor/captures", { key, body: report });
  const { id } = (json as { data: { id: string } }).data;
  const findDropped = async () =>
    (await verifyBooks(testDatabase().db)).filter(({ about }) => about === report.reference);
  expect(await findDropped()).toEqual([]);
  await tamper(`update transactions set id = '${cardId}' where id = '${id}'`);
  expect(await findDropped()).toMatchObject([
    { rule: "what the card network was answered is in the books" },
  ]);
  await tamper(`update transactions set id = '${id}' where id = '${cardId}'`);
});

function setFreezes(freezes: string): Promise<void> {
  return tamper(`update cards set freezes = ${freezes} where id = '${frozenId}'`);
}

test("verify finds a freeze that its account does not know the end of, and one without its history", async () => {
  const end = `'"2030-01-01T00:00:00.000Z"'`;
  await setFreezes(`jsonb_set(freezes, '{cardholder,until}', ${end})`);
  expect(await findRules()).toEqual([
    "a card is frozen while a freeze of it stands, until the end that its account knows",
    "the freezes that stand are those of the card's history",
  ]);
  await setFreezes(`jsonb_set(freezes, '{cardholder,until}', 'null')`);
  await setFreezes(`freezes || jsonb_build_object('staff', freezes->'cardholder')`);
  expect(await findRules()).toEqual(["the freezes that stand are those of the card's history"]);
  await setFreezes("freezes - 'staff'");
  expect(await findRules()).toEqual([]);
});
