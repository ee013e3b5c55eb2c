import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { approvalIn, decide, newApproval, newTwoPeople, reject } from "#test/scene/approvals.ts";
import type { TwoPeople } from "#test/scene/approvals.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import { readOutbox, untilTold } from "#test/scene/outbox.ts";
import { changeUnguarded } from "#test/scene/scene.ts";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { makeStale, newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import {
  accept,
  askToInvite,
  askToReset,
  makeInvitation,
  makeReset,
  reset,
  use,
} from "#test/scene/staff-links.ts";
import { testDatabase } from "#test/database/database.ts";
import { expireApprovals } from "#lib/approvals/expire-approvals.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { approvals } from "#db/schema/approvals.ts";
import { events } from "#db/schema/events.ts";
import { staff } from "#db/schema/staff.ts";

/** While the rule stands, nobody alone gives themselves a second person, or loosens the rule. */

let mine: TwoPeople;

beforeEach(async () => {
  mine = await newTwoPeople(1_000);
});

function setRule(by: TestStaff, approval: object | null, extra: object = {}) {
  return call("PATCH /card-integrators/settings", {
    headers: by.headers,
    body: { approval, ...extra },
  });
}

async function ruleOf({ apiKey }: TwoPeople) {
  const { json } = await call("GET /card-integrators/me", { key: apiKey });
  return (json as { data: { approval: unknown } }).data.approval;
}

async function roleOf(id: string) {
  const [row] = await testDatabase().db.select().from(staff).where(eq(staff.id, id));
  return row?.role;
}

describe("the rule", () => {
  test("is set by an owner with a recent sign-in, and by nobody else", async () => {
    const stricter = { threshold: 500, for_keys: false };
    const admin = await newStaff(mine.id, "admin");
    expect(await setRule(admin, stricter)).toMatchObject({ json: { code: "role_insufficient" } });
    const byKey = { key: mine.apiKey, body: { approval: null } };
    expect(await call("PATCH /card-integrators/settings", byKey)).toMatchObject({
      json: { code: "role_insufficient" },
    });
    await makeStale(mine.ada);
    expect(await setRule(mine.ada, stricter)).toMatchObject({
      json: { code: "fresh_sign_in_required" },
    });
    expect((await setRule(mine.noor, stricter)).status).toBe(200);
    expect(await ruleOf(mine)).toEqual(stricter);
  });

  test("needs two people who may approve", async () => {
    const integrator = await newIntegrator();
    await testDatabase().db.execute(
      sql`update staff set removed_at = clock_timestamp() where integrator_id = ${integrator.id}`,
    );
    const owner = await newStaff(integrator.id, "owner");
    const rule = { threshold: 500, for_keys: false };
    expect(await setRule(owner, rule)).toMatchObject({ json: { code: "approvers_missing" } });
    await newStaff(integrator.id, "operator");
    expect(await setRule(owner, rule)).toMatchObject({ json: { code: "approvers_missing" } });
    await newStaff(integrator.id, "admin");
    expect((await setRule(owner, rule)).status).toBe(200);
  });

  test.each<[string, object | null]>([
    ["switched off", null],
    ["raised", { threshold: 1_001, for_keys: true }],
    ["no longer for keys", { threshold: 1_000, for_keys: false }],
  ])("is %s by two people", async (_, looser) => {
    await setRule(mine.ada, { threshold: 1_000, for_keys: true });
    const before = await ruleOf(mine);
    const approval = approvalIn(await setRule(mine.ada, looser, { time_zone: "Europe/Berlin" }));
    expect(await ruleOf(mine)).toEqual(before);
    expect((await decide(mine.ada, approval.id)).status).toBe(403);
    expect((await decide(mine.noor, approval.id)).status).toBe(200);
    expect(await ruleOf(mine)).toEqual(looser);
  });

  test("is lowered by one", async () => {
    expect((await setRule(mine.ada, { threshold: 10, for_keys: true })).status).toBe(200);
    expect(await ruleOf(mine)).toEqual({ threshold: 10, for_keys: true });
  });

  test("revokes links to other approvers when it is switched on: a puppet that was invited before", async () => {
    const integrator = await newIntegrator();
    const [owner, other] = [
      await newStaff(integrator.id, "owner"),
      await newStaff(integrator.id, "admin"),
    ];
    const puppet = await makeInvitation(owner, "admin");
    const clerk = await makeInvitation(owner, "operator");
    const link = await makeReset(owner, other);
    expect((await setRule(owner, { threshold: 10, for_keys: false })).status).toBe(200);
    expect((await accept(puppet)).status).toBe(404);
    expect((await reset(link)).status).toBe(404);
    expect((await accept(clerk)).status).toBe(201);
  });
});

describe("another approver", () => {
  test("is invited by two people, and only they get the link", async () => {
    const email = `${newId()}@new.example`;
    const asked = await askToInvite(mine.ada, email, "admin");
    const approval = approvalIn(asked);
    expect(asked.text).not.toContain("#");
    expect(await readOutbox(mine.id, email)).toEqual([]);
    expect((await decide(mine.ada, approval.id)).status).toBe(403);
    const approved = await decide(mine.noor, approval.id);
    expect(approved.status).toBe(200);
    expect(approved.text).not.toContain("#");
    expect(await readOutbox(mine.id, email)).toMatchObject([{ kind: "staff.invited" }]);
    expect((await askToInvite(mine.ada, `${newId()}@new.example`, "operator")).status).toBe(201);
  });

  test("is promoted by two people", async () => {
    const { id } = mine.kim;
    const ask = (by: TestStaff, role: string): Promise<ApiReply> =>
      call(`PATCH /staff/${id}`, { headers: by.headers, body: { role } });
    const approval = approvalIn(await ask(mine.ada, "admin"));
    expect(await roleOf(id)).toBe("operator");
    expect((await decide(mine.ada, approval.id)).status).toBe(403);
    expect((await decide(mine.noor, approval.id)).status).toBe(200);
    expect(await roleOf(id)).toBe("admin");
    expect((await ask(mine.ada, "viewer")).status).toBe(200);
  });

  test("does not get a password by one person, nor does anybody but them see a link", async () => {
    const asked = await askToReset(mine.ada, mine.noor);
    const approval = approvalIn(asked);
    expect(asked.text).not.toContain("#");
    const third = await newStaff(mine.id, "owner");
    expect((await decide(third, approval.id)).status).toBe(200);
    expect(await readOutbox(mine.id, mine.noor.email)).toMatchObject([
      { kind: "approval.waiting" },
      { kind: "password.link" },
    ]);
    await keepAll();
    const listed = async (by: TestStaff) => {
      const { json } = await call(`GET /staff/messages?to=${mine.noor.email}`, by);
      return (json as { data: { kind: string; link: string | null; text: string | null }[] }).data;
    };
    const links = (await listed(mine.ada)).map(({ link, text }) => [link, text]);
    expect(links).toEqual([
      [null, null],
      [null, null],
    ]);
    const own = (await listed(mine.noor)).find(({ kind }) => kind === "password.link");
    expect(own?.link).toContain("#");
    expect((await askToReset(mine.ada, mine.kim)).status).toBe(201);
  });

  test("what Forgot password sends is shown to nobody else", async () => {
    const { email } = await newPerson(mine.id, "owner");
    await use("forgot-password", { email });
    await untilTold(mine.id, email, 1);
    await keepAll();
    const { text } = await call(`GET /staff/messages?to=${email}`, mine.ada);
    expect(text).toContain("password.link");
    expect(text).not.toContain("#");
  });

  test("can be removed by one person: what waits then waits on", async () => {
    const card = await newCard(mine);
    const body = { card_id: card.id, amount: 1_000 };
    const approval = approvalIn(
      await call("PATCH /cards/credit/balance", { headers: mine.ada.headers, body }),
    );
    expect((await call(`DELETE /staff/${mine.noor.id}`, mine.ada)).status).toBe(200);
    expect((await decide(mine.noor, approval.id)).status).toBe(401);
    expect((await decide(mine.ada, approval.id)).status).toBe(403);
    expect((await getCard(reading(mine), card.id)).balance).toBe(0);
  });
});

describe("what is told of it", () => {
  test("events and messages: to who can approve, and to who asked", async () => {
    const card = await newCard(mine);
    const ask = async (amount: number) =>
      approvalIn(
        await call("PATCH /cards/credit/balance", {
          headers: mine.kim.headers,
          body: { card_id: card.id, amount, narrative: "For Lin" },
        }),
      ).id;
    const [first, second, third] = [await ask(1_000), await ask(2_000), await ask(3_000)];
    await decide(mine.noor, first);
    await reject(mine.noor, second, "For Lin?");
    await expireLater(third);
    await expireApprovals(testDatabase().db);
    await expireApprovals(testDatabase().db);
    const recorded = await readRecorded(eq(events.subjectId, mine.id));
    const told = recorded.filter(({ event }) => event.startsWith("approval."));
    expect(told.map(({ event, data }) => [event, data["id"], data["status"]])).toEqual([
      ["approval.requested", first, "waiting"],
      ["approval.requested", second, "waiting"],
      ["approval.requested", third, "waiting"],
      ["approval.approved", first, "approved"],
      ["approval.rejected", second, "rejected"],
      ["approval.expired", third, "expired"],
    ]);
    expect(JSON.stringify(told)).not.toContain("For Lin");
    expect((await decide(mine.noor, third)).status).toBe(409);
    const kinds = async ({ email }: TestStaff) =>
      (await readOutbox(mine.id, email)).map(({ kind }) => kind);
    const waiting = ["approval.waiting", "approval.waiting", "approval.waiting"];
    expect(await kinds(mine.noor)).toEqual(waiting);
    expect(await kinds(mine.ada)).toEqual(waiting);
    expect(await kinds(mine.kim)).toEqual(["approval.decided", "approval.decided"]);
  });
});

/** More than are read at once. */
const STUCK = 101;

test("approvals that cannot expire hold up no other", async () => {
  const theirs = await newTwoPeople(1_000);
  const stuck = await newApproval(theirs, { requesterId: theirs.kim.id });
  const due = await newApproval(mine, { requesterId: mine.kim.id });
  await changeUnguarded(sql`
    insert into approvals
    select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
      'expires_at', clock_timestamp() - interval '1 hour'))).*
    from approvals a, generate_series(1, ${STUCK}) where id = ${stuck}`);
  await expireLater(due);
  const release = await refuseEvents(theirs.id);
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  await expireApprovals(testDatabase().db).finally(release);
  expect(logged).toHaveBeenCalledTimes(STUCK);
  logged.mockRestore();
  const [row] = await testDatabase().db.select().from(approvals).where(eq(approvals.id, due));
  expect(row?.status).toBe("expired");
});

/** Nothing can be recorded for an account, as when its row is damaged. @returns how that ends. */
async function refuseEvents(integratorId: string): Promise<() => Promise<void>> {
  await changeUnguarded(
    sql.raw(
      `alter table events add constraint refused check (integrator_id <> '${integratorId}') not valid`,
    ),
  );
  return () => changeUnguarded(sql`alter table events drop constraint refused`);
}

/** As in a sandbox without a mail server. */
async function keepAll(): Promise<void> {
  await testDatabase().db.execute(
    sql`update messages set state = 'kept' where integrator_id = ${mine.id}`,
  );
}

/** As if it had been asked for a week ago, which no statement of the server can say. */
async function expireLater(id: string): Promise<void> {
  await changeUnguarded(
    sql`update ${approvals} set expires_at = clock_timestamp() where id = ${id}`,
  );
}
