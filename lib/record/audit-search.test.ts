import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { parseCsv } from "#test/scene/csv.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readPages } from "#test/scene/pages.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { newId } from "#lib/base/ids.ts";
import { toAuditSearch } from "#lib/audit/audit-titles.ts";
import { listAudit } from "#lib/record/audit.ts";
import { testDatabase } from "#test/database/database.ts";

/** What a person remembers of a change finds it in the audit log. */

interface Entry {
  id: string;
  action: string;
  target_id: string;
  request_id: string;
}

let mine: TestIntegrator;
let owner: TestStaff;
let viewer: TestStaff;
let jose: Card;
let mei: Card;
let keyId: string;
let key: string;

beforeAll(async () => {
  mine = await newIntegrator(10_000);
  owner = await newStaff(mine.id, "owner");
  viewer = await newStaff(mine.id, "viewer");
  jose = await newCard(mine, 0, { firstName: "José", lastName: "Mu\u0308ller" });
  mei = await newCard(mine, 0, { firstName: "Mei", lastName: "Tanaka" });
  ({ id: keyId, key } = await newScopedKey(mine.id, ["funds:write", "cards:write"]));
  await call(`PATCH /cards/${jose.id}/freeze`, { headers: owner.headers });
  await call(`PATCH /cards/${jose.id}/unfreeze`, { headers: viewer.headers });
  await call(`PATCH /cards/${jose.id}/unfreeze`, { headers: owner.headers });
  await call(`PATCH /cards/credit/balance`, { key, body: { card_id: mei.id, amount: 30 } });
  await call(`PATCH /cards/debit/balance`, { key, body: { card_id: mei.id, amount: 10 } });
  await call(`PATCH /cards/credit/balance`, {
    headers: owner.headers,
    body: { card_id: jose.id, amount: 20 },
  });
  await call(`PATCH /cards/${mei.id}/freeze`, { key });
});

const fetchPage = (query: Record<string, string>, by: TestStaff = viewer) =>
  call(`GET /audit-log?${new URLSearchParams(query)}`, { headers: by.headers });

async function list(query: Record<string, string>, by?: TestStaff): Promise<Entry[]> {
  const reply = await fetchPage(query, by);
  expect(reply.status).toBe(200);
  return (reply.json as { data: Entry[] }).data;
}

/** The actions that a search finds, with whose card it was. */
async function find(search: string, filter: Record<string, string> = {}): Promise<string[]> {
  const names = new Map([
    [jose.id, " José"],
    [mei.id, " Mei"],
  ]);
  const entries = await list({ search, ...filter });
  return entries.map(({ action, target_id: id }) => action + (names.get(id) ?? ""));
}

const OF_JOSE = [
  "card.credited José",
  "card.unfrozen José",
  "unfreezeCard.refused José",
  "card.frozen José",
  "card.created José",
  "cardholder.registered",
];
const OF_MEI = [
  "card.frozen Mei",
  "card.debited Mei",
  "card.credited Mei",
  "card.created Mei",
  "cardholder.registered",
];
const OF_KEY = ["card.frozen Mei", "card.debited Mei", "card.credited Mei"];

describe("a search of the audit log finds what has every word:", () => {
  test.each([
    // Names of records, in any spelling.
    ["José", OF_JOSE],
    ["  jose  ", OF_JOSE],
    ["JOSE\u0301", OF_JOSE],
    ["müller", OF_JOSE],
    ["ＭＵＬＬＥＲ José", OF_JOSE],
    ["tan", OF_MEI],
    ["ta", OF_MEI],
    ["an", []],
    ["tanaka jose", []],
    // Titles of actions, from the start of a word on.
    ["frozen", ["card.frozen Mei", "card.frozen José"]],
    ["unfrozen", ["card.unfrozen José"]],
    ["card froz", ["card.frozen Mei", "card.frozen José"]],
    ["refused", ["unfreezeCard.refused José"]],
    ["refused unfreeze", ["unfreezeCard.refused José"]],
    ["jose frozen", ["card.frozen José"]],
    ["frozen JOSÉ card", ["card.frozen José"]],
    ["credited", ["card.credited José", "card.credited Mei"]],
    // Names of actors.
    ["kim owner", ["card.credited José", "card.unfrozen José", "card.frozen José"]],
    ["owner kim unfrozen", ["card.unfrozen José"]],
    ["viewer", ["unfreezeCard.refused José"]],
    ["viewer jose refused", ["unfreezeCard.refused José"]],
    // API keys, whose credits and debits are transactions.
    ["scoped", OF_KEY],
    ["scoped credited", ["card.credited Mei"]],
    ["mei credited scoped", ["card.credited Mei"]],
    ["jose scoped", []],
    // Nothing of it is a pattern, or is anybody's.
    ["%", []],
    ["jo_e", []],
    ["nobody", []],
    ["nobody jose", []],
  ])("%s", async (search, found) => {
    expect(await find(search)).toEqual(found);
  });

  test("by the last four digits of a card, together with words", async () => {
    expect(await find(jose.last4)).toEqual(OF_JOSE.slice(0, -1));
    expect(await find(`${mei.last4} debited`)).toEqual(["card.debited Mei"]);
    expect(await find(`${mei.last4} jose`)).toEqual([]);
  });

  test("by a whole id: of a record, an actor, an entry, or a request", async () => {
    const [credited] = await list({ search: "scoped credited" });
    const [frozen] = await list({ search: "frozen jose" });
    expect(await find(jose.id.toUpperCase())).toEqual(OF_JOSE.slice(0, -1));
    expect(await find(viewer.id)).toEqual(["unfreezeCard.refused José"]);
    expect(await find(keyId)).toEqual(OF_KEY);
    for (const entry of [credited, frozen]) {
      expect(await list({ search: entry?.id ?? "" })).toEqual([entry]);
      expect(await list({ search: entry?.request_id ?? "" })).toEqual([entry]);
    }
    expect(await find(newId())).toEqual([]);
  });

  test("and the filters beside it", async () => {
    expect(await find("jose", { action: "card.frozen" })).toEqual(["card.frozen José"]);
    expect(await find("jose", { action: "refused" })).toEqual(["unfreezeCard.refused José"]);
    expect(await find("frozen", { actor_id: keyId })).toEqual(["card.frozen Mei"]);
    expect(await find("jose", { actor_id: viewer.id })).toEqual(["unfreezeCard.refused José"]);
    expect(await find("credited", { target_id: mei.id })).toEqual(["card.credited Mei"]);
    expect(await find("jose", { from: "2999-01-01" })).toEqual([]);
    expect(await find("scoped", { to: "2001-01-01" })).toEqual([]);
  });

  test("page by page, each entry once", async () => {
    for (const search of ["card", "scoped", "jose", "credited"]) {
      const paged = await readPages<Entry>(
        (query) => fetchPage({ search, ...Object.fromEntries(new URLSearchParams(query)) }),
        1,
      );
      expect(paged).toEqual(await list({ search, limit: "100" }));
    }
  });

  test("as CSV", async () => {
    const { headers } = viewer;
    const { text } = await call("GET /exports/audit-log?search=scoped+mei", { headers });
    expect(parseCsv(text).map(({ action }) => action)).toEqual([
      "card.frozen",
      "card.debited",
      "card.credited",
    ]);
  });
});

test("a search looks at a number of rows, and its pages lead through all of them", async () => {
  const ctx = { db: testDatabase().db, actor: mine.actor };
  const read = async (text: string, searchedMax: number) => {
    const found: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const search = toAuditSearch(text);
      const page = await listAudit(ctx, { search, limit: 2, cursor }, searchedMax);
      found.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined);
    return { found, pages };
  };
  for (const text of ["scoped", "jose", "scoped credited", "jose frozen", "card", mei.id]) {
    const whole = await list({ search: text, limit: "100" });
    const { found, pages } = await read(text, 2);
    expect(found).toEqual(whole.map(({ id }) => id));
    expect(pages).toBeGreaterThan(whole.length / 2);
  }
});

test("of another account nothing is found, by whatever name, title, or id", async () => {
  const theirs = await newIntegrator();
  const stranger = await newStaff(theirs.id, "owner");
  const [entry] = await list({ search: "scoped credited" });
  const requestId = entry?.request_id ?? "";
  for (const search of [
    "jose",
    jose.last4,
    jose.id,
    "scoped",
    keyId,
    viewer.id,
    requestId,
    "kim",
  ]) {
    expect(await list({ search }, stranger)).toEqual([]);
  }
  const { id } = await newCard(theirs, 0, { firstName: "José" });
  for (const change of ["freeze", "unfreeze", "freeze"]) {
    await call(`PATCH /cards/${id}/${change}`, { headers: stranger.headers });
  }
  for (const search of ["frozen", "frozen jose"]) {
    const found = await list({ search }, stranger);
    expect(found.map(({ target_id: target }) => target)).toEqual([id, id]);
  }
  // Nor does what is theirs and newer take the place of what is ours.
  expect(await find("frozen", { limit: "1" })).toEqual(["card.frozen Mei"]);
});

test("an erased cardholder is not found by their name, only by their id", async () => {
  const card = await newCard(mine, 0, { firstName: "Zdenka", lastName: "Quillon" });
  await call(`POST /cards/${card.id}/close`, { headers: owner.headers });
  expect(await find("zdenka")).toHaveLength(3);
  const erased = await call(`POST /card-integrators/card-users/${card.cardholderId}/erase`, {
    headers: owner.headers,
  });
  expect(erased.status).toBe(202);
  await completeErasures(testDatabase().db);
  await completeErasures(testDatabase().db);
  expect(await find("zdenka")).toEqual([]);
  expect(await find("quillon closed")).toEqual([]);
  expect(await find(card.id)).toHaveLength(2);
});

test("a name of more cards than are listed finds them all the same", async () => {
  const many = await newIntegrator();
  const staff = await newStaff(many.id, "owner");
  const { id } = await newCard(many, 0, { firstName: "Ann", lastName: "Common" });
  await call(`PATCH /cards/${id}/freeze`, { headers: staff.headers });
  await testDatabase().db.execute(`
    insert into cardholders select (jsonb_populate_record(null::cardholders, to_jsonb(c)
      || jsonb_build_object('id', gen_random_uuid(), 'email', n || '@example.org'))).*
    from cardholders c cross join generate_series(1, 501) n where integrator_id = '${many.id}'`);
  for (const search of ["common", "common frozen", "kim ann"]) {
    const actions = (await list({ search }, staff)).map(({ action }) => action);
    expect(actions).toEqual(
      search === "common"
        ? ["card.frozen", "card.created", "cardholder.registered"]
        : ["card.frozen"],
    );
  }
});
