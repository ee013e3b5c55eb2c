import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { watchStatements } from "#db/statements.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import { floatLow } from "#lib/messages/internal/kinds/float-low.ts";
import { floatRecovered } from "#lib/messages/internal/kinds/float-recovered.ts";
import { newId } from "#lib/base/ids.ts";
import { inTransaction } from "#db/transaction.ts";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newApproval } from "#test/scene/approvals.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";

let integrator: TestIntegrator;
let people: Record<"owner" | "admin" | "operator" | "viewer", TestStaff>;

beforeEach(async () => {
  integrator = await newIntegrator(10_000);
  people = {
    owner: await newStaff(integrator.id, "owner"),
    admin: await newStaff(integrator.id, "admin"),
    operator: await newStaff(integrator.id, "operator"),
    viewer: await newStaff(integrator.id, "viewer"),
  };
});

const ask = (line: string, body?: object, who = people.owner) =>
  call(line, { headers: who.headers, ...(body && { body }) });

/** Who was told what, in which state their message is, and whether it is sent later. */
async function listTold() {
  const rows = await testDatabase().db.execute<{ line: string }>(sql`
    select kind || ' to ' || s.role || case when m.state = 'withdrawn' then ', withdrawn' when m.due_at > clock_timestamp() then ', later' else '' end as line
    from messages m join staff s on s.id = m.staff_id and s.integrator_id = m.integrator_id
    where m.integrator_id = ${integrator.id} and s.first_name = 'Kim' order by m.created_at, s.role`);
  return rows.map(({ line }) => line);
}

/** Makes everything told so far a little more than an hour older. */
async function waitHour(): Promise<void> {
  await testDatabase().db.execute(sql`
    update messages set created_at = created_at - interval '61 minutes', due_at = due_at - interval '61 minutes',
      sent_at = sent_at - interval '61 minutes'
    where integrator_id = ${integrator.id}`);
}

describe("people are told", () => {
  test("that the float is low, and that it has recovered: owners and admins, except who does not want to know", async () => {
    const card = await newCard(integrator);
    await ask("PATCH /staff/me/messages", { muted: ["float", "float"] }, people.admin);
    await ask("PATCH /card-integrators/settings", { low_balance_threshold: 9_000 });
    await ask("PATCH /cards/credit/balance", { card_id: card.id, amount: 2_000 });
    expect(await listTold()).toEqual(["float.low to owner"]);
    await ask("PATCH /card-integrators/top-up-float", { amount: 5_000 });
    expect(await listTold()).toEqual(["float.low to owner", "float.recovered to owner"]);
  });

  test("that a rule or compliance froze a card, once an hour, and not that a colleague did", async () => {
    const card = await newCard(integrator, 1_000);
    await ask(`PATCH /cards/${card.id}/freeze`, { reason: "internal_review" });
    await ask(`PATCH /cards/${card.id}/unfreeze`);
    expect(await listTold()).toEqual([]);
    const body = { auto_freeze: { declines: 2, within_minutes: 60, reasons: null } };
    await ask("PATCH /card-integrators/settings", body);
    for (let round = 0; round < 3; round += 1) {
      for (let declined = 0; declined < 2; declined += 1) {
        await ask(`POST /cards/${card.id}/mock-transaction`, { type: "deduct", amount: 90_000 });
      }
      await ask(`PATCH /cards/${card.id}/unfreeze`);
    }
    const told = await listTold();
    expect(told.filter((line) => !/later|withdrawn/u.test(line))).toEqual([
      "card.stopped to admin",
      "card.stopped to operator",
    ]);
    expect(told.filter((line) => line.includes("later"))).toHaveLength(2);
  });

  test("of requests that wait for approval, except whoever asked, and of a flood of them ten times an hour", async () => {
    for (let asked = 0; asked < 12; asked += 1) {
      await newApproval(integrator, { requesterId: people.owner.id });
    }
    const told = await listTold();
    expect(told).toEqual(Array.from({ length: 10 }, () => "approval.waiting to admin"));
  });

  test("of a bulk job with refusals: whoever made it", async () => {
    const card = await newCard(integrator);
    const items = [{ card_id: card.id }, { card_id: newId() }];
    const body = { operation: "freeze", items };
    await ask("POST /bulk", body, people.operator);
    await ask("POST /bulk", { operation: "unfreeze", items: [{ card_id: card.id }] });
    expect(await listTold()).toEqual(["job.refused to operator"]);
  });
});

describe("a state", () => {
  const LEVEL = { balance: 1, threshold: 2 };
  const TOLD = {
    low: { kind: floatLow, facts: LEVEL, personId: null },
    recovered: { kind: floatRecovered, facts: LEVEL, personId: null },
  };

  const tell = (state: keyof typeof TOLD, stateOf: string) =>
    inTransaction(testDatabase().db, (tx) =>
      state === "low"
        ? tellStaff(tx, integrator.id, { ...TOLD.low, stateOf })
        : tellStaff(tx, integrator.id, { ...TOLD.recovered, stateOf }),
    );

  test("that comes back within an hour is told at its end, unless another one replaces it", async () => {
    const id = newId();
    await tell("low", id);
    await tell("recovered", id);
    await tell("low", id);
    const first = ["float.low to admin", "float.low to owner"];
    const second = ["float.recovered to admin", "float.recovered to owner"];
    const later = ["float.low to admin, later", "float.low to owner, later"];
    expect(await listTold()).toEqual([...first, ...second, ...later]);
    await tell("recovered", id);
    expect((await listTold()).slice(4)).toEqual([
      "float.low to admin, withdrawn",
      "float.low to owner, withdrawn",
      "float.recovered to admin, later",
      "float.recovered to owner, later",
    ]);
  });

  test("is not held back by that of another record, or by one of an hour ago", async () => {
    await tell("low", newId());
    const id = newId();
    await tell("low", id);
    await waitHour();
    await tell("low", id);
    expect(await listTold()).toHaveLength(6);
    expect((await listTold()).filter((line) => line.includes("later"))).toEqual([]);
  });

  test("that was told an hour late is not told again a moment after that", async () => {
    const id = newId();
    await tell("low", id);
    await tell("recovered", id);
    await tell("low", id);
    await waitHour();
    await tell("recovered", id);
    await tell("low", id);
    const told = await listTold();
    expect(told.slice(4)).toEqual([
      "float.low to admin",
      "float.low to owner",
      "float.recovered to admin",
      "float.recovered to owner",
      "float.low to admin, later",
      "float.low to owner, later",
    ]);
  });
});

test("a credit that concerns nobody asks and writes nothing for it", async () => {
  const card = await newCard(integrator);
  const statements: string[] = [];
  const body = { card_id: card.id, amount: 100 };
  const credit = () => call("PATCH /cards/credit/balance", { key: integrator.apiKey, body });
  await credit();
  watchStatements((text) => {
    statements.push(text);
    return undefined;
  });
  await credit();
  watchStatements(undefined);
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.filter((text) => /\bmessages\b|muted_topics/u.test(text))).toEqual([]);
});
