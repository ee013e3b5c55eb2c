import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createCardFor, newUser, pathOf } from "#test/scene/cardholders.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { withTimeLimits } from "#db/time-limits.ts";

/** Views that name the cardholder, by where. Their names before were Zoë Quayson, Strauß Quayson, and 小龙 Quayson. */
const NAMING = {
  "a name": { name: "Abena's cards", query: "" },
  "a name without its accents, in another case": { name: "DARKOE only", query: "" },
  "a name in a query": { name: "1", query: "search=Dark%C3%B6e&order=oldest" },
  "a name among other words": { name: "2", query: "search=the+abena+card" },
  "an earlier name": { name: "3", query: "search=zo%C3%AB" },
  "an earlier name, in capitals": { name: "STRAUSS", query: "" },
  "an earlier name, in a script without spaces": { name: "李小龙的卡", query: "" },
  "an email": { name: "4", query: "search=a.darkoe%40quay.example" },
  "a phone number": { name: "5", query: "search=%2B233200000099" },
  "the name on the card": { name: "6", query: "search=Zo%C3%AB%20Quayson" },
} as const;

/** Views of everybody, and of somebody whose name only begins like theirs. */
const KEPT = {
  "a longer word": { name: "Abenaa, quaysons, and darkoes", query: "search=abenaa" },
  "the characters of a name in another order": { name: "龙小", query: "" },
  "a city, and the value of a label": { name: "Accra", query: "city=Accra&metadata[tier]=gold" },
  "bytes that are no text": { name: "7", query: "search=%FF%E4&x=%" },
} as const;

let integrator: TestIntegrator;
let owner: TestStaff;
let stranger: TestStaff;
let replies: Map<string, ApiReply>;

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
  owner = await newStaff(integrator.id, "owner");
  stranger = await newStaff((await newIntegrator()).id, "owner");
  const user = await register();
  const both = { ...NAMING, ...KEPT };
  replies = new Map();
  for (const [where, view] of Object.entries(both)) {
    replies.set(where, await save(owner, where, view));
  }
  await save(stranger, "a stranger's", NAMING["a name"]);
  await erase(user);
});

/** Somebody who has changed their name, and whose closed card has metadata. */
async function register() {
  const user = await newUser(integrator, { first_name: "Zoë", last_name: "Quayson" });
  const made = await createCardFor(integrator, user);
  const { id } = (made.json as { data: { id: string } }).data;
  const key = integrator.apiKey;
  await call(`PATCH /cards/${id}`, { key, body: { metadata: { tier: "gold" } } });
  await call(`POST /cards/${id}/close`, { key });
  await call(`PATCH ${pathOf(user)}`, { key, body: { first_name: "Strauß" } });
  await call(`PATCH ${pathOf(user)}`, { key, body: { first_name: "小龙" } });
  const body = {
    first_name: "Abena",
    last_name: "Darköe",
    email: "a.darkoe@quay.example",
    phone_number: "+233200000099",
  };
  expect((await call(`PATCH ${pathOf(user)}`, { key, body })).status).toBe(200);
  return user;
}

function save({ headers }: TestStaff, where: string, view: { name: string; query: string }) {
  return call("POST /views", {
    headers: { ...headers, "Idempotency-Key": where.replaceAll(" ", "-") },
    body: { list: "cards", shared: view.name < "5", ...view },
  });
}

async function erase(user: { id: string }): Promise<void> {
  const key = integrator.apiKey;
  expect((await call(`POST ${pathOf(user)}/erase`, { key })).status).toBe(202);
  await withTimeLimits({ erasureSettles: 0 }, async () => {
    await completeErasures(testDatabase().db);
    await completeErasures(testDatabase().db);
  });
  expect((await call(`GET ${pathOf(user)}`, { key })).json).toMatchObject({
    data: { erasure: { status: "completed" } },
  });
}

async function namesFor({ headers }: TestStaff): Promise<string[]> {
  const { json } = await call("GET /views?list=cards", { headers });
  return (json as { data: { name: string }[] }).data.map(({ name }) => name);
}

describe("an erasure deletes a saved view that has", () => {
  test.each(Object.entries(NAMING))("%s", async (where, view) => {
    expect(replies.get(where)?.status).toBe(201);
    expect(await namesFor(owner)).not.toContain(view.name);
    const repeated = await save(owner, where, view);
    expect(repeated).toMatchObject({ status: 410, json: { code: "response_erased" } });
  });
});

describe("an erasure leaves a saved view that has", () => {
  test.each(Object.entries(KEPT))("%s", async (where, view) => {
    expect(await namesFor(owner)).toContain(view.name);
    expect((await save(owner, where, view)).text).toBe(replies.get(where)?.text);
  });

  test("a cardholder of the same name, in another account", async () => {
    expect(await namesFor(stranger)).toEqual(["Abena's cards"]);
  });
});
