import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import { auditLog } from "#db/schema/events.ts";
import { inboxNotifications } from "#db/schema/inbox.ts";
import { removeExpired } from "#lib/operator/retention.ts";
import { createInbox } from "#lib/webhooks/inbox.ts";
import { keepNotification } from "#lib/webhooks/inbox-receive.ts";

interface Listed {
  url: string | null;
  data: { event: string | null; body: string }[];
}

async function read(key: string, query = ""): Promise<Listed> {
  return (await call(`GET /sandbox/inbox${query}`, { key })).json as Listed;
}

function receive(integratorId: string, body: string): Promise<void> {
  const { db } = testDatabase();
  return keepNotification(db, { integratorId }, { headers: {}, body: Buffer.from(body) });
}

test("an integrator has one inbox, however often and however concurrently it creates it", async () => {
  const { id, apiKey: key } = await newIntegrator();
  expect(await read(key)).toEqual({ url: null, data: [], next_cursor: null });
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => call("POST /sandbox/inbox", { key })),
  );
  const { url } = await read(key);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/inbox\/[\w-]{43}$/u);
  for (const { json } of replies) {
    expect(json).toEqual({ data: { url } });
  }
  const audited = await testDatabase()
    .db.select()
    .from(auditLog)
    .where(and(eq(auditLog.integratorId, id), eq(auditLog.action, "webhooks.inbox-created")));
  expect(audited).toHaveLength(1);
  const other = await newIntegrator();
  await call("POST /sandbox/inbox", { key: other.apiKey });
  expect((await read(other.apiKey)).url).not.toBe(url);
});

test("a live integrator cannot create one, even on a server that was started as a sandbox", async () => {
  const live = await newIntegrator(0, "live");
  await expect(write(live, createInbox)).rejects.toMatchObject({ code: "sandbox_only" });
});

test("what arrived can be filtered by event", async () => {
  const { id, apiKey: key } = await newIntegrator();
  await call("POST /sandbox/inbox", { key });
  for (const event of ["card.frozen", "webhook.test", "card.unfrozen"]) {
    await receive(id, JSON.stringify({ event }));
  }
  const listed = async (query: string) => (await read(key, query)).data.map(({ event }) => event);
  expect(await listed("?event=card.frozen")).toEqual(["card.frozen"]);
  expect(await listed("?event=webhook.test,card.unfrozen")).toEqual([
    "card.unfrozen",
    "webhook.test",
  ]);
  expect((await call("GET /sandbox/inbox?event=card.lost", { key })).status).toBe(422);
});

test("notifications are removed after a day", async () => {
  const { id, apiKey: key } = await newIntegrator();
  const { db } = testDatabase();
  await call("POST /sandbox/inbox", { key });
  for (const [body, hours] of [
    ["older", 24.1],
    ["younger", 23.9],
  ] as const) {
    await receive(id, body);
    await db
      .update(inboxNotifications)
      .set({ createdAt: new Date(Date.now() - hours * 3_600_000) })
      .where(and(eq(inboxNotifications.integratorId, id), eq(inboxNotifications.body, body)));
  }
  await removeExpired(db);
  expect((await read(key)).data.map(({ body }) => body)).toEqual(["younger"]);
});
