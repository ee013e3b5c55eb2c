import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { newStaff } from "#test/scene/staff.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import { events } from "#db/schema/events.ts";

beforeEach(() => openCardAccount(1_000, 100));

type Credential = Pick<Parameters<typeof call>[1] & object, "key" | "headers">;

/** What lifts which levels. */
const LIFTERS = {
  "cards:freeze": ["cardholder"],
  "cards:write": ["cardholder", "staff"],
  "cards:write cards:lift": ["cardholder", "staff", "compliance"],
  operator: ["cardholder", "staff"],
  admin: ["cardholder", "staff", "compliance"],
  owner: ["cardholder", "staff", "compliance"],
} as const satisfies Record<string, readonly FreezeLevel[]>;

type Who = keyof typeof LIFTERS;

async function credentialOf(who: Who): Promise<Credential> {
  if (who === "operator" || who === "admin" || who === "owner") {
    return { headers: (await newStaff(integrator.id, who)).headers };
  }
  const scopes = who.split(" ") as ("cards:freeze" | "cards:write" | "cards:lift")[];
  return { key: (await newScopedKey(integrator.id, scopes)).key };
}

function send(
  verb: "freeze" | "unfreeze",
  body: object = {},
  by: Credential = { key: integrator.apiKey },
) {
  return call(`PATCH /cards/${cardId}/${verb}`, { ...by, body });
}

interface Body {
  status: string;
  status_version: number;
  freezes: { level: FreezeLevel; frozen_at: string; reason: string | null; until: string | null }[];
}

async function read(): Promise<Body> {
  return (await call(`GET /cards/${cardId}`, { key: integrator.apiKey })).json as Body;
}

function levelsOf({ freezes }: Body): FreezeLevel[] {
  return freezes.map(({ level }) => level).toSorted();
}

/** A time so many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** All subsets of the levels. */
const SETS = Array.from({ length: 2 ** FREEZE_LEVELS.length }, (_, set) =>
  FREEZE_LEVELS.filter((__, index) => set & (1 << index)),
);

describe("a freeze", () => {
  test("has the level of its maker unless it says another", async () => {
    expect(await send("freeze")).toMatchObject({ json: { freeze: { level: "cardholder" } } });
    const { headers } = await newStaff(integrator.id, "operator");
    const both = await send("freeze", { reason: "lost" }, { headers });
    expect(levelsOf(both.json as Body)).toEqual(["cardholder", "staff"]);
    expect(both.json).toMatchObject({
      status_version: 3,
      freeze: { level: "staff", reason: "lost" },
    });
    const third = await send("freeze", { level: "compliance" });
    expect(levelsOf(third.json as Body)).toEqual(["cardholder", "compliance", "staff"]);
  });

  test("of a key that only freezes for cardholders has no other level", async () => {
    const by = await credentialOf("cards:freeze");
    expect(await send("freeze", { level: "staff" }, by)).toMatchObject({
      status: 403,
      json: {
        code: "scope_missing",
        detail: 'A freeze of the level staff needs the scope "cards:write".',
      },
    });
    expect(await send("freeze", {}, by)).toMatchObject({ status: 200 });
    const closed = await call(`POST /cards/${cardId}/close`, by);
    expect(closed).toMatchObject({ status: 403, json: { code: "scope_missing" } });
  });

  test("stands for the gravest reason; of equal ones, for the highest level", async () => {
    await send("freeze", { level: "compliance" });
    expect(await send("freeze", { level: "staff" })).toMatchObject({
      json: { freeze: { level: "compliance" } },
    });
    expect(await send("freeze", { reason: "lost" })).toMatchObject({
      json: { freeze: { level: "cardholder", reason: "lost" } },
    });
  });
});

describe.each(Object.keys(LIFTERS) as Who[])("%s", (who) => {
  test("lifts of every set of levels what it may, one by one, and nothing else", async () => {
    const by = await credentialOf(who);
    const may: readonly FreezeLevel[] = LIFTERS[who];
    for (const set of SETS) {
      for (const level of set) {
        await send("freeze", { level });
      }
      for (const level of FREEZE_LEVELS) {
        const before = await read();
        const reply = await send("unfreeze", { level }, by);
        const stands = set.includes(level);
        expect(reply.status).toBe(stands && !may.includes(level) ? 403 : 200);
        const after = await read();
        expect(levelsOf(after)).toEqual(
          levelsOf(before).filter((each) => each !== level || !may.includes(level)),
        );
        expect(after.status_version - before.status_version).toBe(
          stands && may.includes(level) ? 1 : 0,
        );
        expect(after.status).toBe(after.freezes.length > 0 ? "frozen" : "active");
      }
      await send("unfreeze");
    }
  });

  test("without a level lifts all that stand, or nothing", async () => {
    const by = await credentialOf(who);
    const may: readonly FreezeLevel[] = LIFTERS[who];
    for (const set of SETS.filter(({ length }) => length > 0)) {
      for (const level of set) {
        await send("freeze", { level });
      }
      const before = await read();
      const reply = await send("unfreeze", {}, by);
      const isAll = set.every((level) => may.includes(level));
      expect([reply.status, (await read()).freezes]).toEqual(
        isAll ? [200, []] : [403, before.freezes],
      );
      await send("unfreeze");
    }
  });
});

test("a refusal names the level, since when it stands, and who may lift it", async () => {
  const frozen = (await send("freeze", { level: "compliance", reason: "compliance" })).json as Body;
  const reply = await send("unfreeze", {}, await credentialOf("cards:write"));
  expect(reply.json).toMatchObject({
    code: "freeze_not_liftable",
    detail: `A freeze of the level compliance has stood since ${frozen.freezes[0]?.frozen_at}. Only owners, admins, and API keys with the scope "cards:lift" may lift it. Nothing was changed.`,
  });
});

describe("an end", () => {
  test("is kept, replaced, and removed, and each change is recorded", async () => {
    const [first, second] = [inDays(1), inDays(2)];
    await send("freeze", { reason: "other", comment: "Why", until: first });
    expect(await send("freeze", {})).toMatchObject({
      json: { status_version: 2, freeze: { until: first } },
    });
    expect(await send("freeze", { until: second, comment: "Longer" })).toMatchObject({
      json: { status_version: 3, freeze: { until: second, reason: "other", comment: "Longer" } },
    });
    expect(await send("freeze", { until: null, comment: null })).toMatchObject({
      status: 422,
      json: { errors: { comment: ['This field is required with the reason "other".'] } },
    });
    expect(await send("freeze", { until: null })).toMatchObject({
      json: { status_version: 4, freeze: { until: null, comment: "Longer" } },
    });
    const audit = await readAudit(integrator, { targetId: cardId, action: "card.frozen" });
    expect(audit.map(({ before, after }) => [before?.["until"], after?.["until"]])).toEqual([
      [undefined, first],
      [first, second],
      [second, null],
    ]);
  });

  test("is later than now, and at most 400 days", async () => {
    for (const [until, words] of [
      [inDays(-1), "later than"],
      [new Date().toISOString(), "later than"],
      [inDays(400.01), "at most 400 days later than"],
      ["tomorrow", "RFC 3339"],
    ]) {
      expect(await send("freeze", { until })).toMatchObject({
        status: 422,
        json: { errors: { until: [expect.stringContaining(words ?? "")] } },
      });
    }
    expect(await send("freeze", { until: inDays(399.9) })).toMatchObject({ status: 200 });
  });

  test("that comes earlier needs the right to lift the freeze, and a later one does not", async () => {
    const by = await credentialOf("cards:write");
    await send("freeze", { level: "compliance", until: inDays(2) });
    const earlier = { level: "compliance", until: inDays(1) };
    const refused = { status: 403, json: { code: "freeze_not_liftable" } };
    expect(await send("freeze", earlier, by)).toMatchObject(refused);
    expect(await send("freeze", { ...earlier, until: inDays(3) }, by)).toMatchObject({
      status: 200,
    });
    expect(await send("freeze", { ...earlier, until: null }, by)).toMatchObject({ status: 200 });
    expect(await send("freeze", { ...earlier, until: inDays(9) }, by)).toMatchObject(refused);
    expect(await send("freeze", earlier)).toMatchObject({ status: 200 });
  });
});

test("a milder reason beside a new end keeps the graver one, and a null reason clears none", async () => {
  const until = inDays(1);
  await send("freeze", { reason: "stolen", comment: "Police" });
  expect(await send("freeze", { reason: "inactivity", comment: "Idle", until })).toMatchObject({
    json: { freeze: { reason: "stolen", comment: "Police", until } },
  });
  expect(await send("freeze", { reason: null })).toMatchObject({
    json: { status_version: 3, freeze: { reason: "stolen" } },
  });
});

test("history, events, and audit log agree on every level, and only the last lift unfreezes", async () => {
  await send("freeze", { reason: "lost" });
  await send("freeze", { level: "compliance", reason: "compliance", comment: "Case 7" });
  await send("unfreeze", { level: "cardholder", comment: "Found" });
  await send("unfreeze", { level: "compliance" });
  const activity = await call(`GET /cards/${cardId}/activity`, { key: integrator.apiKey });
  const changes = (
    activity.json as { data: { state_change: Record<string, unknown> | null }[] }
  ).data
    .flatMap(({ state_change: change }) => (change ? [change] : []))
    .filter(({ level }) => level !== null);
  expect(changes.toReversed()).toMatchObject([
    { from: "active", to: "frozen", level: "cardholder", lifted: false, reason: "lost" },
    { from: "frozen", to: "frozen", level: "compliance", lifted: false, comment: "Case 7" },
    { from: "frozen", to: "frozen", level: "cardholder", lifted: true, comment: "Found" },
    { from: "frozen", to: "active", level: "compliance", lifted: true },
  ]);
  const sent = await readRecorded(
    and(eq(events.subjectId, cardId), eq(events.integratorId, integrator.id)),
  );
  expect(sent.filter(({ event }) => event.endsWith("frozen"))).toMatchObject([
    { event: "card.frozen", data: { amended: false, given_level: "cardholder" } },
    {
      event: "card.frozen",
      data: {
        amended: true,
        given_level: "compliance",
        freezes: [{ comment: "Case 7" }, { reason: "lost" }],
      },
    },
    { event: "card.unfrozen", data: { status_version: 5, due_at: null, freezes: [] } },
  ]);
  const audit = await readAudit(integrator, { targetId: cardId });
  expect(
    audit
      .slice(-4)
      .map(({ action, before, after }) => [action, before?.["level"] ?? after?.["level"]]),
  ).toEqual([
    ["card.frozen", "cardholder"],
    ["card.frozen", "compliance"],
    ["card.freeze-lifted", "cardholder"],
    ["card.unfrozen", "compliance"],
  ]);
});

test("closing a card ends the freezes of every level", async () => {
  for (const level of FREEZE_LEVELS) {
    await send("freeze", { level });
  }
  const by = await credentialOf("cards:write");
  expect(await call(`POST /cards/${cardId}/close`, by)).toMatchObject({
    json: { status: "closed", freeze: null, freezes: [] },
  });
});
