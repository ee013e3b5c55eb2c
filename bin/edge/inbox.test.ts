import { count, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { RawConnection } from "#test/outside/raw-http.ts";
import { inboxNotifications, sandboxInboxes } from "#db/schema/inbox.ts";
import { newToken } from "#lib/base/one-time-token.ts";
import { readProblem } from "./edge-rig.ts";
import { edge, inbox, InboxRig, useInbox } from "./inbox-rig.ts";

const settings = vi.hoisted(() => ({
  PUBLIC_URL: "",
  FLOATDECK_ENV: "sandbox",
  TIME_LIMIT_FACTOR: "",
  ALLOWED_HOSTS: "127.0.0.1",
}));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, settings);
});

useInbox(settings);

test("an inbox receives before there is a signing secret", async () => {
  const answer = await inbox.post("hello", { "webhook-id": "1" });
  expect([answer.status, await answer.text()]).toEqual([200, "Received.\n"]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect((await inbox.read()).data).toMatchObject([
    { event: null, verified: false, failure: "signature_mismatch", body: "hello" },
  ]);
});

test("what is hostile is kept as text", async () => {
  const bodies = [
    Buffer.from([0x61, 0x00, 0x62]),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from('{"event":"__proto__"}'),
    Buffer.from('{"event":{"toString":1}}'),
    Buffer.from("null"),
    Buffer.from(String.raw`"\ud800"`),
    Buffer.from("<script>alert(1)</script>"),
    Buffer.alloc(0),
    Buffer.alloc(65_536, 0xff),
  ];
  const headers = { "webhook-id": "' or 1=1", "user-agent": "é".repeat(2_000), cookie: "a=b" };
  for (const body of bodies) {
    expect((await inbox.post(Uint8Array.from(body), headers)).status).toBe(200);
  }
  const { data } = await inbox.read();
  expect(data.map(({ body }) => body).toReversed()).toEqual(
    bodies.map((body) => body.toString("utf8").replaceAll("\0", "\u{fffd}")),
  );
  for (const { event, delivery_id, headers: kept } of data) {
    expect({ event, delivery_id, names: new Set(Object.keys(kept)) }).toEqual({
      event: null,
      delivery_id: null,
      names: new Set(["user-agent", "webhook-id"]),
    });
    expect(kept["user-agent"]).toHaveLength(1_024);
  }
});

test("a body of more than 64 KiB is refused, whether or not its length is announced", async () => {
  expect((await inbox.post("x".repeat(65_537))).status).toBe(413);
  const connection = await RawConnection.open(edge.port);
  const { pathname } = new URL(inbox.url);
  connection.send(
    `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  connection.send(`10001\r\n${"x".repeat(65_537)}`);
  expect(await connection.until('"code":"body_too_large"')).toMatch(/^HTTP\/1.1 413 /u);
  connection.socket.destroy();
  expect((await inbox.read()).data).toEqual([]);
});

test("senders whose bodies do not arrive keep nobody out, of their own inbox neither", async () => {
  const slow = await InboxRig.create();
  const { pathname } = new URL(slow.url);
  let waiting: RawConnection[] = [];
  // As fast as the limit of an inbox allows, more of them than are served at once.
  const open = async () => {
    waiting = waiting.filter(({ socket }) => socket.bytesRead === 0);
    const kept = waiting.length;
    for (let missing = 300 - kept; missing > 0; missing -= 1) {
      const sender = await RawConnection.open(edge.port);
      sender.send(`POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx`);
      waiting.push(sender);
    }
    return kept;
  };
  await expect.poll(open, { interval: 300, timeout: 30_000 }).toBeGreaterThan(260);
  expect((await inbox.post("1")).status).toBe(200);
  await expect.poll(async () => (await slow.post("1")).status).toBe(200);
  for (const { socket } of waiting) {
    socket.destroy();
  }
});

/** Sends a batch of numbers at the same time, each until the limit of the inbox allows it. */
function postNumbers(from: number, length: number): Promise<void[]> {
  return Promise.all(
    Array.from({ length }, async (_, index) => {
      await expect.poll(async () => (await inbox.post(String(from + index))).status).toBe(200);
    }),
  );
}

test("the last 100 are kept, in pages", async () => {
  await postNumbers(0, 50);
  await postNumbers(50, 50);
  for (let number = 100; number < 105; number += 1) {
    await postNumbers(number, 1);
  }
  const first = await inbox.read("?limit=60");
  const second = await inbox.read(`?limit=60&cursor=${first.next_cursor}`);
  expect(second.next_cursor).toBeNull();
  const kept = [...first.data, ...second.data].map(({ body }) => Number(body));
  expect(kept.slice(0, 5)).toEqual([104, 103, 102, 101, 100]);
  expect(new Set(kept).size).toBe(100);
  const [row] = await testDatabase()
    .db.select({ rows: count() })
    .from(inboxNotifications)
    .where(eq(inboxNotifications.integratorId, inbox.integrator.id));
  expect(row?.rows).toBe(100);
});

test("the rate of an inbox is limited, and no other inbox's", async () => {
  const replies = await Promise.all(Array.from({ length: 200 }, () => inbox.post("1")));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get("retry-after")).toMatch(/^\d+$/u);
  expect((await (await InboxRig.create()).post("1")).status).toBe(200);
});

test("an address only receives, and an unknown one answers like any other", async () => {
  const { pathname } = new URL(inbox.url);
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
    for (const path of [pathname, `/inbox/${newToken()}`]) {
      const reply = await fetch(`${settings.PUBLIC_URL}${path}`, { method });
      expect([method, reply.status, reply.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  }
  const token = pathname.slice("/inbox/".length);
  for (const unknown of [newToken(), "x", token.slice(0, -1), `${token}a`]) {
    const reply = await edge.ask(`POST /inbox/${unknown}`, ["Content-Length: 2"], "{}");
    expect(readProblem(reply)).toBe("404 path_unknown");
  }
  expect((await inbox.read()).data).toEqual([]);
  expect(edge.received).toEqual([]);
});

test("a live server receives nothing, and no inbox can exist there", async () => {
  const { PUBLIC_URL } = settings;
  Object.assign(settings, {
    FLOATDECK_ENV: "live",
    DATABASE_URL: "postgres://a@b/c",
    PUBLIC_URL: "https://own.example",
  });
  const refused = await inbox.post("{}");
  Object.assign(settings, { FLOATDECK_ENV: "sandbox", PUBLIC_URL });
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "sandbox_only" }]);
  expect((await inbox.read()).data).toEqual([]);
  const { id: integratorId } = await newIntegrator(0, "live");
  const row = { integratorId, token: newToken(), tokenHash: "0".repeat(64) };
  await expect(testDatabase().db.insert(sandboxInboxes).values(row)).rejects.toMatchObject({
    cause: { constraint_name: "sandbox_inboxes_integrator" },
  });
});
