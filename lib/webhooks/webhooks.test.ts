import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { secretOf, until } from "#test/outside/notifications.ts";
import {
  ask,
  cardId,
  integrator,
  listed,
  receiver,
  secret,
  useNotifiedAccount,
} from "#test/scene/notified-account.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import { TIME, UUID } from "#test/scene/shapes.ts";
import { idempotentRequests } from "#db/schema/events.ts";
import { newId } from "#lib/base/ids.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";

useNotifiedAccount();

async function readEndpoint() {
  return ((await ask("GET /webhooks")).json as { data: { state: string } }).data;
}

describe("deliveries", () => {
  test("are listed newest first with filters, and shown with their attempts", async () => {
    await until(integrator, ({ state }) => state === "delivered");
    const page = await listed("GET /webhook-deliveries?limit=2");
    const next = await listed(`GET /webhook-deliveries?limit=2&cursor=${page.next_cursor}`);
    const ids = [...page.data, ...next.data].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(await listed("GET /webhook-deliveries?state=pending")).toMatchObject({ data: [] });
    const [created] = (
      await listed(`GET /webhook-deliveries?event=card.created&card_id=${cardId}&state=delivered`)
    ).data;
    expect(created).toEqual({
      id: UUID,
      endpoint_id: integrator.id,
      event_id: created?.id,
      event: "card.created",
      card_id: cardId,
      state: "delivered",
      attempt_count: 1,
      next_attempt_at: null,
      last_attempt_at: TIME,
      last_status: 200,
      last_failure: null,
      delivered_at: TIME,
      created_at: TIME,
    });
    const shown = await ask(`GET /webhook-deliveries/${created?.id}`);
    const sent = receiver.received.find(({ headers }) => headers["webhook-id"] === created?.id);
    expect(shown.json).toMatchObject({
      data: {
        ...created,
        request_body: sent?.body,
        attempts: [
          {
            number: 1,
            url: receiver.url,
            address: "127.0.0.1",
            started_at: TIME,
            status: 200,
            failure: null,
            explanation: null,
            request_headers: { "webhook-signature": sent?.headers["webhook-signature"] },
          },
        ],
      },
    });
    expect(shown.text).not.toContain(secret);
  });

  test("are resent on demand with the same id and body", async () => {
    const [latest] = (await listed("GET /webhook-deliveries?limit=1")).data;
    const before = receiver.received.length;
    const resent = await ask(`POST /webhook-deliveries/${latest?.id}/resend`);
    expect(resent).toMatchObject({ status: 200, json: { data: { state: "pending" } } });
    const [again] = (await receiver.waitFor(before + 1)).slice(before);
    expect(again?.headers["webhook-id"]).toBe(latest?.id);
    const first = receiver.received.find(({ headers }) => headers["webhook-id"] === latest?.id);
    expect(again?.body).toBe(first?.body);
  });
});

describe("notifications", () => {
  test("switched off by a 410 refuse tests, are turned back on when requested, and missed events are recovered", async () => {
    const since = new Date().toISOString();
    receiver.behave(answer(410));
    await ask("POST /webhooks/test");
    while ((await readEndpoint()).state === "on") {
      await sleep(20);
    }
    expect(await readEndpoint()).toMatchObject({
      webhook_url: receiver.url,
      state: "switched_off",
      switched_off_at: TIME,
      switched_off_reason: "gone",
      previous_secret_until: TIME,
    });
    for (const line of ["/webhooks/test", "/webhook-deliveries/recover"]) {
      expect(
        await ask(`POST ${line}`, line.endsWith("recover") ? { since } : undefined),
      ).toMatchObject({ status: 409, json: { code: "notifications_switched_off" } });
    }
    await ask("PATCH /card-integrators/update", { domain: "missed.example" });
    receiver.behave(answer(200));
    expect(await ask("POST /webhooks/enable")).toMatchObject({
      status: 200,
      json: { data: { state: "on", switched_off_at: null } },
    });
    const before = receiver.received.length;
    const shown = {
      complete: true,
      oldest_at: TIME,
      newest_at: TIME,
      count: 2,
      waiting: 0,
      by_event: ["integrator.updated", "webhook.test"].map((event) => ({ event, count: 1 })),
    };
    for (const query of ["", `?since=${since}`]) {
      const preview = await ask(`GET /webhook-deliveries/missed${query}`);
      expect(preview.json).toEqual({ data: shown });
    }
    const recovered = await ask("POST /webhook-deliveries/recover", { since });
    expect(recovered.json).toEqual({ data: { recovered: 2, complete: true } });
    expect((await ask("GET /webhook-deliveries/missed")).json).toEqual({
      data: { ...shown, count: 0, by_event: [], oldest_at: null, newest_at: null },
    });
    const missed = (await receiver.waitFor(before + 2)).slice(before);
    expect(missed.map(({ body }) => String(JSON.parse(body).event)).toSorted()).toEqual([
      "integrator.updated",
      "webhook.test",
    ]);
    await until(integrator, ({ state: at }) => at === "delivered");
    const again = await ask("POST /webhook-deliveries/recover", { since });
    expect(again.json).toEqual({ data: { recovered: 0, complete: true } });
  });

  test("cannot be recovered from before 30 days ago, or from the future", async () => {
    for (const days of [-31, 1]) {
      const since = new Date(Date.now() + days * 86_400_000).toISOString();
      expect(await ask("POST /webhook-deliveries/recover", { since })).toMatchObject({
        status: 422,
        json: { errors: { since: [expect.any(String)] } },
      });
    }
  });

  test("without an address none are sent, and they can be recovered once there is one", async () => {
    const lone = await newIntegrator(50);
    const act = (line: string, body?: unknown) => call(line, { key: lone.apiKey, body });
    for (const line of ["POST /webhooks/test", "POST /webhooks/enable"]) {
      expect(await act(line)).toMatchObject({ status: 409, json: { code: "webhook_url_missing" } });
    }
    expect((await act("GET /webhooks")).json).toMatchObject({ data: { state: "off" } });
    const own = await startReceiver();
    try {
      await act("PATCH /card-integrators/update", { webhook_url: own.url });
      await own.waitFor(2);
      const since = new Date(Date.now() - 60_000).toISOString();
      const recovered = await act("POST /webhook-deliveries/recover", { since });
      expect(recovered.json).toEqual({ data: { recovered: 1, complete: true } });
      const last = (await own.waitFor(3)).at(-1);
      expect(JSON.parse(last?.body ?? "")).toMatchObject({ event: "float.topped-up" });
    } finally {
      await own.stop();
    }
  });
});

describe("the address", () => {
  test.each([
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "http://[::ffff:192.168.0.1]/",
    "https://0xa9fea9fe/",
    "https://user:pass@1.1.1.1/",
    "https://1.1.1.1/#x",
    "ftp://1.1.1.1/",
    `https://1.1.1.1/${"x".repeat(2_048)}`,
  ])("%s is refused, names the member and changes nothing", async (url) => {
    const refused = await ask("PATCH /card-integrators/update", { webhook_url: url });
    expect(refused).toMatchObject({
      status: 422,
      json: { code: "validation_failed", errors: { webhook_url: [expect.any(String)] } },
    });
    expect((await ask("GET /webhooks")).json).toMatchObject({
      data: { webhook_url: receiver.url },
    });
  });

  test("that was refused under a key leaves the key free for one that is allowed", async () => {
    const key = { "Idempotency-Key": newId() };
    const change = (url: string) =>
      ask("PATCH /card-integrators/update", { webhook_url: url }, key);
    expect((await change("https://10.0.0.1/")).status).toBe(422);
    const allowed = await change("https://93.184.216.34/hooks");
    expect(allowed.status).toBe(200);
    expect(allowed.headers.has("idempotent-replayed")).toBe(false);
  });
});

test("a repeated rotation answers the same secret, which is not readable in the database", async () => {
  const key = newId();
  const rotate = async () => {
    const reply = await ask("POST /webhooks/rotate-secret", undefined, { "Idempotency-Key": key });
    return (reply.json as { data: { secret: string } }).data.secret;
  };
  const made = await rotate();
  expect(await rotate()).toBe(made);
  expect(await secretOf(integrator)).toBe(made);
  const [kept] = await testDatabase()
    .db.select()
    .from(idempotentRequests)
    .where(eq(idempotentRequests.key, toIdempotencyName(integrator.id, key)));
  expect(kept?.body).not.toContain("whsec_");
});
