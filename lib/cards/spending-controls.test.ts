import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { newStaff } from "#test/scene/staff.ts";
import { ROLES, ROLE_SCOPES } from "#lib/access/roles.ts";
import { toControls, toLimit } from "#test/scene/spending-controls.ts";
import { listCountries } from "#lib/base/countries.ts";
import { events } from "#db/schema/events.ts";
import { listCategories } from "#lib/transactions/merchant-category.ts";

/** What a card may buy, as its integrator says it over the API. */

beforeEach(() => openCardAccount(10_000, 1_000));

const control = (controls: unknown) =>
  ask(`PATCH /cards/${cardId}/spending-controls`, { spending_controls: controls });
const setDefault = (controls: unknown) =>
  ask("PATCH /card-integrators/settings", { spending_controls: controls });

interface Shown {
  spending_controls: { spending_limits: object[]; blocked_categories: string[] | null } | null;
  spending_controls_source: string;
}

async function shown(): Promise<Shown> {
  return (await ask(`GET /cards/${cardId}`)).json as Shown;
}

const MONTHLY = { amount: 50_000, interval: "monthly" };

describe("a card", () => {
  test("says what it may buy and whose controls these are: its own, its account's, or none", async () => {
    expect(await shown()).toMatchObject({
      spending_controls: null,
      spending_controls_source: "none",
    });
    const reply = await setDefault({ blocked_categories: ["7995"] });
    expect(reply).toMatchObject({
      status: 200,
      json: { data: { spending_controls: toControls({ blocked_categories: ["7995"] }) } },
    });
    expect(await shown()).toMatchObject({
      spending_controls: toControls({ blocked_categories: ["7995"] }),
      spending_controls_source: "account",
    });
    await control({ spending_limits: [MONTHLY] });
    const controls = toControls({ spending_limits: [toLimit(50_000)] });
    expect(await shown()).toMatchObject({
      spending_controls: controls,
      spending_controls_source: "card",
    });
    expect(await control({})).toMatchObject({
      status: 200,
      json: { spending_controls: toControls({}), spending_controls_source: "card" },
    });
    await control(null);
    expect(await shown()).toMatchObject({ spending_controls_source: "account" });
    await setDefault(null);
    expect(await shown()).toMatchObject({
      spending_controls: null,
      spending_controls_source: "none",
    });
    expect((await ask("GET /cards")).json).toMatchObject([{ spending_controls_source: "none" }]);
  });

  test("says what is used and when it starts anew; a list does not", async () => {
    await control({ spending_limits: [MONTHLY, { amount: 100, interval: "per_authorization" }] });
    const { json } = await ask(`POST /cards/${cardId}/mock-transaction`, {
      type: "authorize",
      amount: 75,
    });
    expect(json).toMatchObject({ data: { status: "authorized" } });
    const { spending_controls: controls } = await shown();
    expect(controls?.spending_limits).toMatchObject([
      { used: 75, resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/u) },
      { used: null, resets_at: null },
    ]);
    const [listed] = (await ask("GET /cards")).json as Shown[];
    expect(listed?.spending_controls?.spending_limits[0]).toMatchObject({ used: null });
  });

  test("has events that do not say what is used, which its purchases' events do", async () => {
    await control({ spending_limits: [MONTHLY] });
    await ask(`PATCH /cards/${cardId}`, { metadata: { team: "ops" } });
    await ask(`PATCH /cards/${cardId}/freeze`, {});
    const recorded = await readRecorded(
      and(eq(events.subjectId, cardId), inArray(events.event, ["card.updated", "card.frozen"])),
    );
    expect(recorded).toHaveLength(3);
    for (const { data } of recorded) {
      const limits = [{ amount: 50_000, used: null, resets_at: null }];
      expect(data).toMatchObject({ spending_controls: { spending_limits: limits } });
    }
  });

  test("that is closed keeps its controls as they are", async () => {
    await ask(`POST /cards/${cardId}/close`, {});
    expect(await control({ spending_limits: [MONTHLY] })).toMatchObject({
      status: 409,
      json: { code: "card_closed" },
    });
  });

  test("changes only as its reader has seen it", async () => {
    const read = await ask(`GET /cards/${cardId}`);
    const tag = read.headers.get("etag") ?? "";
    const send = (amount: number) =>
      call(`PATCH /cards/${cardId}/spending-controls`, {
        key: integrator.apiKey,
        headers: { "If-Match": tag },
        body: { spending_controls: { spending_limits: [{ ...MONTHLY, amount }] } },
      });
    expect(await send(1)).toMatchObject({ status: 200 });
    expect(await send(2)).toMatchObject({ status: 412 });
  });
});

test("each change is in the audit log and among the events, with before and after; none leaves no trace", async () => {
  const blocked = { blocked_merchant_countries: ["US"] };
  await control(blocked);
  await control(blocked);
  await control(null);
  const entries = await readAudit(integrator, { targetId: cardId, action: "card.updated" });
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [{ spending_controls: null }, { spending_controls: toControls(blocked) }],
    [{ spending_controls: toControls(blocked) }, { spending_controls: null }],
  ]);
  const recorded = await readRecorded(
    and(eq(events.subjectId, cardId), eq(events.event, "card.updated")),
  );
  expect(recorded).toMatchObject([
    {
      data: { spending_controls: blocked, spending_controls_source: "card" },
      previous: { spending_controls: null, spending_controls_source: "none" },
    },
    {
      data: { spending_controls: null, spending_controls_source: "none" },
      previous: { spending_controls: blocked, spending_controls_source: "card" },
    },
  ]);
});

const clear = (credential: Parameters<typeof call>[1]) =>
  call(`PATCH /cards/${cardId}/spending-controls`, {
    ...credential,
    body: { spending_controls: {} },
  });

test("owners, admins, operators, and keys with the scope cards:limits may change them", async () => {
  for (const role of ROLES) {
    const { headers } = await newStaff(integrator.id, role);
    const may = role !== "viewer";
    expect(ROLE_SCOPES[role].includes("cards:limits")).toBe(may);
    expect(await clear({ headers })).toMatchObject({ status: may ? 200 : 403 });
  }
  const limiting = await newScopedKey(integrator.id, ["cards:limits"]);
  const writing = await newScopedKey(integrator.id, ["cards:write", "cards:lift"]);
  expect(await clear({ key: limiting.key })).toMatchObject({ status: 200 });
  expect(await clear({ key: writing.key })).toMatchObject({ status: 403 });
});

const many = (count: number) =>
  listCategories()
    .map(({ code }) => code)
    .slice(0, count);

/** What is refused, the member that is named, and what is said of it. */
const INVALID: readonly [string, unknown, string, RegExp][] = [
  [
    "11 limits",
    { spending_limits: Array.from({ length: 11 }, () => MONTHLY) },
    "spending_limits",
    /at most 10/u,
  ],
  [
    "an amount of 0",
    { spending_limits: [{ ...MONTHLY, amount: 0 }] },
    "spending_limits.0.amount",
    /at least 1/u,
  ],
  [
    "an unknown interval",
    { spending_limits: [{ ...MONTHLY, interval: "hourly" }] },
    "spending_limits.0.interval",
    /daily/u,
  ],
  [
    "an unknown member",
    { spending_limits: [{ ...MONTHLY, category: "5814" }] },
    "spending_limits.0.category",
    /./u,
  ],
  ["no code in a list", { blocked_categories: [] }, "blocked_categories", /1 to 300 codes/u],
  ["301 codes", { blocked_categories: many(301) }, "blocked_categories", /1 to 300 codes/u],
  [
    "301 codes in two limits",
    {
      spending_limits: [
        { ...MONTHLY, categories: many(200) },
        { ...MONTHLY, categories: many(101) },
      ],
    },
    "spending_limits",
    /at most 300 categories/u,
  ],
  [
    "a code that no category has",
    { blocked_categories: ["0000"] },
    "blocked_categories.0",
    /ISO 18245/u,
  ],
  [
    "a word of Stripe",
    { allowed_categories: ["fast_food_restaurants"] },
    "allowed_categories.0",
    /ISO 18245/u,
  ],
  [
    "a country of three letters",
    { allowed_merchant_countries: ["USA"] },
    "allowed_merchant_countries.0",
    /alpha-2/u,
  ],
  [
    "a country in lower case",
    { blocked_merchant_countries: ["us"] },
    "blocked_merchant_countries.0",
    /alpha-2/u,
  ],
  ["a code twice", { blocked_categories: ["5814", "5814"] }, "blocked_categories", /twice/u],
  [
    "both lists of categories",
    { allowed_categories: ["5814"], blocked_categories: ["5411"] },
    "blocked_categories",
    /null while allowed_categories is set/u,
  ],
  [
    "both lists of countries",
    { allowed_merchant_countries: ["US"], blocked_merchant_countries: ["DE"] },
    "blocked_merchant_countries",
    /null while allowed_merchant_countries is set/u,
  ],
];

test.each(INVALID)(
  "%s: refused with the member's name, on a card and as a default",
  async (...[, controls, member, message]) => {
    for (const reply of [await control(controls), await setDefault(controls)]) {
      expect(reply.status).toBe(422);
      const { errors } = reply.json as { errors: Record<string, string[]> };
      expect(Object.keys(errors)).toEqual([`spending_controls.${member}`]);
      expect(Object.values(errors).flat().join(" ")).toMatch(message);
    }
    expect(await shown()).toMatchObject({ spending_controls: null });
  },
);

test("the largest controls fit with the largest metadata into one event, before and after", async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`k${index}`, "é".repeat(240)]),
  );
  expect(await ask(`PATCH /cards/${cardId}`, { metadata })).toMatchObject({ status: 200 });
  const known = listCountries().map(({ id }) => id);
  const largest = (amount: number) => ({
    spending_limits: Array.from({ length: 10 }, (_, index) => ({
      amount: 1_000_000_000_000 - index,
      interval: "per_authorization",
      categories: many(300).slice(index * 30, index * 30 + 30),
    })),
    blocked_categories: many(300),
    blocked_merchant_countries: known.slice(amount),
  });
  expect(await control(largest(0))).toMatchObject({ status: 200 });
  expect(await control(largest(1))).toMatchObject({ status: 200 });
  expect(await ask(`PATCH /cards/${cardId}/freeze`, { comment: "é".repeat(255) })).toMatchObject({
    status: 200,
  });
  expect(await setDefault(largest(0))).toMatchObject({ status: 200 });
  expect(await setDefault(largest(1))).toMatchObject({ status: 200 });
});
