import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { claimMessages, recordSent } from "#lib/messages/internal/claim.ts";
import { startMailer } from "#lib/messages/mailer.ts";
import type { RunningMailer } from "#lib/messages/mailer.ts";
import { removeStaff } from "#lib/staff/staff.ts";
import { messages } from "#db/schema/messages.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { inTransaction } from "#db/transaction.ts";
import { testDatabase } from "#test/database/database.ts";
import { startMailServer } from "#test/outside/mail-server.ts";
import type { MailServer } from "#test/outside/mail-server.ts";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";

const PUBLIC_URL = "https://cards.example.com";
const FROM = "cards@example.com";

let server: MailServer;
let integrator: TestIntegrator;
let owner: TestStaff;
let mailers: RunningMailer[] = [];

beforeAll(async () => {
  integrator = await newIntegrator();
  owner = await newStaff(integrator.id, "owner");
});

beforeEach(async () => {
  server = await startMailServer();
});

afterEach(async () => {
  await Promise.all(mailers.map((mailer) => mailer.stop()));
  mailers = [];
  await server.stop();
  await testDatabase().db.delete(messages).where(eq(messages.integratorId, integrator.id));
});

afterAll(() => vi.restoreAllMocks());

function startOne(
  smtpUrl: string | null = server.url,
  environment: "sandbox" | "live" = "sandbox",
) {
  const mail = smtpUrl === null ? undefined : { smtpUrl, from: FROM };
  const mailer = startMailer(testDatabase().db, { mail, environment, publicUrl: PUBLIC_URL });
  mailers.push(mailer);
  return mailer;
}

/** Invites somebody, whose invitation is the message. @returns their address. */
async function invite(): Promise<{ email: string; id: string }> {
  const email = `${newId()}@guest.example`;
  const headers = { ...owner.headers };
  const reply = await call("POST /staff/invitations", {
    headers,
    address: newId(),
    body: { email, role: "viewer" },
  });
  expect(reply.status).toBe(201);
  return { email, id: Object(reply.json).data.id };
}

async function find(email: string) {
  const [row] = await testDatabase()
    .db.select()
    .from(messages)
    .where(sql`${messages.integratorId} = ${integrator.id} and ${messages.email} = ${email}`);
  if (!row) {
    throw new Error(`There is no message to ${email}.`);
  }
  return row;
}

const until = (email: string, is: (row: Awaited<ReturnType<typeof find>>) => boolean) =>
  vi.waitUntil(async () => is(await find(email)), { timeout: 20_000, interval: 20 });

/** Makes every waiting message due, as time would. */
const passTime = () =>
  testDatabase().db.execute(
    sql`update messages set due_at = clock_timestamp() where integrator_id = ${integrator.id} and state = 'waiting'`,
  );

const idsOf = (raw: string) => /^Message-ID: (?<id>\S+)/imu.exec(raw)?.groups?.["id"];

describe("a mail server that accepts", () => {
  test("gets the message once, as text and as HTML that loads nothing, and the text is no longer kept", async () => {
    startOne();
    const { email } = await invite();
    await until(email, ({ state }) => state === "sent");
    const [got] = server.received;
    const parsed = await PostalMime.parse(got?.raw ?? "");
    expect(server.received).toHaveLength(1);
    expect(got?.to).toEqual([email]);
    expect(parsed.from).toEqual({ name: "Floatdeck", address: FROM });
    expect(parsed.subject).toBe("Join Northwind on Floatdeck");
    expect(parsed.text).toContain("Kim owner invites you to the staff of Northwind as a viewer.");
    expect(parsed.text).toMatch(/^https:\/\/cards\.example\.com\/invitation#[\w-]{43}$/mu);
    expect(parsed.html).not.toMatch(/<(?:img|link|script|iframe)|url\(|@import/iu);
    const row = await find(email);
    expect(row).toMatchObject({ content: null, attempts: 1, failures: 0 });
    expect(parsed.messageId).toBe(`<${row.id}@example.com>`);
  });

  test("gets each message once from several workers, and nothing from a restarted one", async () => {
    const guests = [];
    for (let sent = 0; sent < 12; sent += 1) {
      guests.push(await invite());
    }
    startOne();
    startOne();
    startOne();
    for (const { email } of guests) {
      await until(email, ({ state }) => state === "sent");
    }
    await Promise.all(mailers.map((mailer) => mailer.stop()));
    await passTime();
    startOne();
    const last = await invite();
    await until(last.email, ({ state }) => state === "sent");
    const to = server.received.flatMap((got) => got.to);
    expect(to.toSorted()).toEqual([...guests, last].map(({ email }) => email).toSorted());
  });
});

describe("a mail server that does not", () => {
  test("refuses a mailbox for good: the message fails with its answer, and is not tried again", async () => {
    server.behave("refuse");
    startOne();
    const { email } = await invite();
    await until(email, ({ state }) => state === "failed");
    const row = await find(email);
    expect(row).toMatchObject({ content: null, attempts: 1, lastFailure: "refused" });
    expect(row.lastAnswer).toContain("550 No such mailbox");
  });

  test("greylists: the message is sent at a later attempt", async () => {
    server.behave("defer");
    startOne();
    const { email } = await invite();
    await until(email, ({ failures }) => failures === 1);
    expect(await find(email)).toMatchObject({ state: "waiting", lastFailure: "deferred" });
    server.behave("accept");
    await passTime();
    await until(email, ({ state }) => state === "sent");
    expect(server.received).toHaveLength(1);
  });

  test("stalls: the attempt ends, and a later one sends the message", async () => {
    server.behave("stall");
    await withTimeLimits({ mailAttempt: 300 }, async () => {
      startOne();
      const { email } = await invite();
      await until(email, ({ failures }) => failures === 1);
      expect(await find(email)).toMatchObject({ state: "waiting", lastFailure: "unreachable" });
    });
    server.behave("accept");
    await passTime();
    await vi.waitUntil(() => server.received.length === 1, { timeout: 20_000 });
  });

  test("drops the connection after the text: it is sent again, with the same id", async () => {
    server.behave("drop");
    startOne();
    const { email } = await invite();
    await until(email, ({ failures }) => failures === 1);
    server.behave("accept");
    await passTime();
    await until(email, ({ state }) => state === "sent");
    const ids = server.received.map(({ raw }) => idsOf(raw));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("is down: once it answers again, what waited for it is sent at once", async () => {
    const port = server.url;
    await server.stop();
    startOne(port);
    const guests = [await invite(), await invite(), await invite()];
    for (const { email } of guests) {
      await until(email, ({ failures }) => failures === 1);
    }
    await Promise.all(mailers.map((mailer) => mailer.stop()));
    mailers = [];
    // An hour later, when only one is due.
    await testDatabase().db.execute(
      sql`update messages set due_at = clock_timestamp() + interval '1 hour' where integrator_id = ${integrator.id}`,
    );
    const { db } = testDatabase();
    await db
      .update(messages)
      .set({ dueAt: sql`clock_timestamp()` })
      .where(
        sql`${messages.integratorId} = ${integrator.id} and ${messages.email} = ${guests[0]?.email}`,
      );
    server = await startMailServer();
    startOne();
    for (const { email } of guests) {
      await until(email, ({ state }) => state === "sent");
    }
    expect(server.received).toHaveLength(3);
  });
});

describe("a worker that dies", () => {
  test("after sending: another sends the message with the same id, and the first one's result changes nothing", async () => {
    const { email } = await invite();
    const { db } = testDatabase();
    const [claim] = await claimMessages(db, 1);
    expect(claim?.email).toBe(email);
    expect(await claimMessages(db, 1)).toEqual([]);
    await passTime();
    startOne();
    await until(email, ({ state }) => state === "sent");
    const { sentAt } = await find(email);
    if (claim) {
      await recordSent(db, claim, { failure: "refused", answer: "550 late" });
    }
    expect(await find(email)).toMatchObject({ state: "sent", sentAt, attempts: 2, failures: 0 });
  });
});

describe("without a mail server", () => {
  test("a sandbox keeps what each message says, and only owners and its person read it", async () => {
    startOne(null);
    const { email } = await invite();
    await until(email, ({ state }) => state === "kept");
    const read = (headers: TestStaff["headers"]) =>
      call(`GET /staff/messages?to=${encodeURIComponent(email)}`, { headers });
    const reply = await read(owner.headers);
    expect(reply.json).toMatchObject({
      data: [{ to: email, state: "kept", subject: "Join Northwind on Floatdeck" }],
    });
    const admin = await newStaff(integrator.id, "admin");
    expect((await read(admin.headers)).json).toMatchObject({ data: [] });
    const stranger = await newStaff((await newIntegrator()).id, "owner");
    expect((await read(stranger.headers)).json).toMatchObject({ data: [] });
  });

  test("live keeps no text: it says only to whom it would have gone", async () => {
    startOne(null, "live");
    const { email } = await invite();
    await until(email, ({ state }) => state === "kept");
    expect(await find(email)).toMatchObject({ content: null });
  });

  test("what was kept is not sent once there is one", async () => {
    const mailer = startOne(null);
    const { email } = await invite();
    await until(email, ({ state }) => state === "kept");
    await mailer.stop();
    startOne();
    const { email: next } = await invite();
    await until(next, ({ state }) => state === "sent");
    expect(server.received.flatMap(({ to }) => to)).toEqual([next]);
  });
});

describe("what no longer applies is withdrawn:", () => {
  test("the invitation that was revoked, and the one that a newer one replaces", async () => {
    const { email, id } = await invite();
    await call(`DELETE /staff/invitations/${id}`, { headers: owner.headers });
    expect(await find(email)).toMatchObject({ state: "withdrawn", content: null });
  });

  test("what waits for somebody who was removed", async () => {
    const person = await newStaff(integrator.id, "viewer");
    await call(`POST /staff/${person.id}/password-reset`, { headers: owner.headers });
    const { db } = testDatabase();
    await inTransaction(db, (tx) => {
      const actor = {
        integratorId: integrator.id,
        ref: { type: "staff" as const, id: owner.id, name: "Kim" },
        staff: {
          id: owner.id,
          sessionId: newId(),
          role: "owner" as const,
          fresh: true,
          hasSecondFactor: false,
          mustEnroll: false,
        },
      };
      return removeStaff({ tx, actor, request: newOrigin() }, person.id);
    });
    startOne();
    const { email } = await invite();
    await until(email, ({ state }) => state === "sent");
    expect(await find(person.email)).toMatchObject({ state: "withdrawn", content: null });
    expect(server.received.flatMap(({ to }) => to)).toEqual([email]);
  });
});
