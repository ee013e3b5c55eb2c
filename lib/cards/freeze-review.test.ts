import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newStaff } from "#test/scene/staff.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { findReviewed } from "#lib/cards/freeze-review.ts";

let integrator: TestIntegrator;
let staff: Awaited<ReturnType<typeof newStaff>>;

beforeAll(async () => {
  integrator = await newIntegrator(0);
  staff = await newStaff(integrator.id, "owner");
});

const byKey = (line: string, body?: object) => call(line, { key: integrator.apiKey, body });
const byPerson = (line: string, body?: object) => call(line, { headers: staff.headers, body });

async function isReviewed(id: string): Promise<boolean> {
  const ctx = reading(integrator);
  return (await findReviewed(ctx, [await getCard(ctx, id)])).has(id);
}

async function newFrozen(reason: string): Promise<string> {
  const { id } = await newCard(integrator, 0);
  await byKey(`POST /cards/${id}/notes`, { comment: "Before the freeze" });
  await byPerson(`POST /cards/${id}/notes`, { comment: "Before the freeze" });
  await byKey(`PATCH /cards/${id}/freeze`, { reason, level: "cardholder" });
  return id;
}

test("a protective freeze is reviewed once a person has written a note since, and not by a program's", async () => {
  const id = await newFrozen("suspected_fraud");
  expect(await isReviewed(id)).toBe(false);
  await byKey(`POST /cards/${id}/notes`, { comment: "A program's" });
  expect(await isReviewed(id)).toBe(false);
  const noted = await byPerson(`POST /cards/${id}/notes`, { comment: "Spoke with the holder." });
  expect(noted.status).toBe(201);
  expect(await isReviewed(id)).toBe(true);
});

test("so it is once a person has amended it, or has lifted another of its freezes", async () => {
  const amended = await newFrozen("lost");
  await byKey(`PATCH /cards/${amended}/freeze`, { reason: "stolen", level: "cardholder" });
  expect(await isReviewed(amended)).toBe(false);
  await byPerson(`PATCH /cards/${amended}/freeze`, { reason: "compromised", level: "cardholder" });
  expect(await isReviewed(amended)).toBe(true);
  const lifted = await newFrozen("lost");
  const second = await byKey(`PATCH /cards/${lifted}/freeze`, {
    reason: "inactivity",
    level: "staff",
  });
  expect(second).toMatchObject({ status: 200 });
  expect(await isReviewed(lifted)).toBe(false);
  const answer = await byPerson(`PATCH /cards/${lifted}/unfreeze`, { level: "staff" });
  expect(answer).toMatchObject({ status: 200 });
  expect(await isReviewed(lifted)).toBe(true);
});

test("a card without a protective freeze needs no review, and no statement", async () => {
  const id = await newFrozen("cardholder_request");
  const { db } = testDatabase();
  const closed = new Proxy(db, {
    get: () => {
      throw new Error("It asked the database.");
    },
  });
  const card = await getCard(reading(integrator), id);
  expect(await findReviewed({ ...reading(integrator), db: closed }, [card])).toEqual(new Set());
});
