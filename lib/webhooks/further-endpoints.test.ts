import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { newCard, write } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import { receiverOf, work } from "#test/outside/each-worker.ts";
import { endpointOf, secretOf } from "#test/outside/notifications.ts";
import { answer, hang } from "#test/outside/receiver.ts";
import {
  add,
  ask,
  dataOf,
  first,
  freeze,
  isSignedBy,
  mine,
  namesAt,
  second,
  useTwoReceivers,
} from "#test/outside/two-endpoints.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import { env } from "#lib/base/env.ts";
import { updateEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";

useTwoReceivers();

const stateOf = async (id: string) => (await dataOf(`GET /webhook-endpoints/${id}`)).state;

describe("an endpoint beside the account's", () => {
  test("gets the events that it names, and the account's gets all of them, each with its own secret", async () => {
    const { secret } = await add();
    work();
    await freeze();
    const [frozen] = await second.waitFor(1);
    await first.waitFor(5);
    expect(namesAt(first)).toEqual([
      "card.created",
      "card.frozen",
      "integrator.updated",
      "user.kyc-verification",
      "webhook.test",
    ]);
    expect(namesAt(second)).toEqual(["card.frozen"]);
    const same = first.received.find(
      ({ headers }) => headers["webhook-id"] === frozen?.headers["webhook-id"],
    );
    expect(same?.body).toBe(frozen?.body);
    const own = await secretOf(mine);
    expect(frozen && [isSignedBy(secret, frozen), isSignedBy(own, frozen)]).toEqual([true, false]);
    expect(same && [isSignedBy(secret, same), isSignedBy(own, same)]).toEqual([false, true]);
  });

  test("of a chat gets a sentence and a link, and its delivery shows what was sent", async () => {
    const { id } = await add({ format: "chat" });
    work();
    await freeze();
    const [received] = await second.waitFor(1);
    const eventId = String(received?.headers["webhook-id"]);
    const sentence =
      "A card was frozen, or a frozen card was given another freeze, reason, or end.";
    const text = `Sandbox: ${sentence}\n${env().publicUrl}/developers/events/${eventId}`;
    expect(JSON.parse(received?.body ?? "")).toEqual({ text });
    const [sent] = await dataOf(`GET /webhook-deliveries?endpoint_id=${id}`);
    expect((await dataOf(`GET /webhook-deliveries/${sent.id}`)).request_body).toBe(received?.body);
    await ask(`PATCH /webhook-endpoints/${id}`, { format: "event" });
    await dataOf("POST /webhooks/test", { endpoint_id: id });
    const [, event] = await second.waitFor(2);
    expect(JSON.parse(event?.body ?? "")).toMatchObject({ event: "webhook.test" });
  });

  test("gets its headers with each request, and nobody is shown their values", async () => {
    const { id } = await add({ headers: { Authorization: "Bearer 5ab1e", "X-Team": "ledger" } });
    work();
    const tested = await dataOf("POST /webhooks/test", { endpoint_id: id });
    const [received] = await second.waitFor(1);
    expect(received?.headers).toMatchObject({ authorization: "Bearer 5ab1e", "x-team": "ledger" });
    const path = `GET /webhook-deliveries/${tested.id}`;
    await expect.poll(async () => (await dataOf(path)).state).toBe("delivered");
    const [attempt] = (await dataOf(path)).attempts;
    const shown = { authorization: "[redacted]", "x-team": "[redacted]" };
    expect(attempt.request_headers).toMatchObject(shown);
    expect((await dataOf(`GET /webhook-endpoints/${id}`)).headers).toEqual(shown);
    expect(JSON.stringify(await endpointOf({ ...mine, id }))).not.toMatch(/5ab1e|ledger/u);
    const body = { headers: { AUTHORIZATION: null, "X-Other": "1" } };
    expect((await dataOf(`PATCH /webhook-endpoints/${id}`, body)).headers).toEqual({
      "x-team": "[redacted]",
      "x-other": "[redacted]",
    });
  });

  test("rotates its secret by itself: both sign for it, and the account's is the same as before", async () => {
    const { id, secret } = await add();
    const own = await secretOf(mine);
    const rotated = await dataOf("POST /webhooks/rotate-secret", { endpoint_id: id });
    work();
    await freeze();
    const [frozen] = await second.waitFor(1);
    expect(frozen && [isSignedBy(secret, frozen), isSignedBy(rotated.secret, frozen)]).toEqual([
      true,
      true,
    ]);
    expect(await secretOf(mine)).toBe(own);
    expect((await dataOf("GET /webhooks")).previous_secret_until).toBeNull();
  });

  test("that hangs delays no other", async () => {
    const { id } = await add({ events: ["card.created"] });
    second.behave(hang);
    work();
    const begun = Date.now();
    for (let made = 0; made < 8; made += 1) {
      await newCard(mine);
    }
    await first.waitFor(10);
    // The attempts at the other one still hang: nothing of them is recorded.
    expect((await dataOf(`GET /webhook-endpoints/${id}`)).last_failure_at).toBeNull();
    expect(Math.max(...first.received.map(({ at }) => at)) - begun).toBeLessThan(10_000);
  });

  test("that is gone is switched off alone", async () => {
    const { id } = await add();
    second.behave(answer(410));
    work();
    await dataOf("POST /webhooks/test", { endpoint_id: id });
    await expect.poll(() => stateOf(id)).toBe("switched_off");
    expect(await dataOf("GET /webhooks")).toMatchObject({ state: "on", failing_since: null });
    await freeze();
    await expect.poll(() => namesAt(first)).toContain("card.frozen");
  });

  test("that was switched off is enabled alone, and recovers what it asked for", async () => {
    const { id } = await add();
    second.behave(answer(410));
    work();
    await freeze();
    await expect.poll(() => stateOf(id)).toBe("switched_off");
    await freeze();
    second.behave(answer(200));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const refused = await ask("POST /webhook-deliveries/recover", { endpoint_id: id, since });
    expect(Object(refused.json).code).toBe("notifications_switched_off");
    expect((await dataOf("POST /webhooks/enable", { endpoint_id: id })).state).toBe("on");
    const query = `since=${since}&endpoint_id=${id}`;
    expect(await dataOf(`GET /webhook-deliveries/missed?${query}`)).toMatchObject({
      count: 2,
      by_event: [{ event: "card.frozen", count: 2 }],
    });
    const recovered = await dataOf("POST /webhook-deliveries/recover", { endpoint_id: id, since });
    expect(recovered).toEqual({ recovered: 2, complete: true });
    await second.waitFor(3);
    expect(new Set(namesAt(second))).toEqual(new Set(["card.frozen"]));
  });

  test("moves with what is pending, which a test follows", async () => {
    const { id } = await add();
    await freeze();
    const third = await receiverOf();
    await write(mine, (ctx) => updateEndpoint(ctx, id, { webhookUrl: third.url }));
    work();
    await third.waitFor(2);
    expect(namesAt(third)).toEqual(["card.frozen", "webhook.test"]);
    expect(second.received).toEqual([]);
  });

  test("leaves its headers behind when it moves to another origin, and says so", async () => {
    const { id, secret } = await add({
      headers: { Authorization: "Bearer 5ab1e", "X-Team": "ledger" },
    });
    const third = await receiverOf();
    const { endpoint, droppedHeaders } = await write(mine, (ctx) =>
      updateEndpoint(ctx, id, { webhookUrl: third.url, headers: { "X-Team": "cards" } }),
    );
    expect([endpoint.headers, droppedHeaders]).toEqual([
      { "x-team": "[redacted]" },
      ["authorization"],
    ]);
    work();
    const [tested] = await third.waitFor(1);
    expect(tested?.headers).toMatchObject({ "x-team": "cards" });
    expect(tested?.headers).not.toHaveProperty("authorization");
    expect(tested && isSignedBy(secret, tested)).toBe(true);
    const [audited] = await readAudit(mine, {
      targetId: mine.id,
      action: "webhooks.endpoint-updated",
    });
    expect(audited?.after).toMatchObject({
      headers: ["x-team"],
      dropped_headers: ["authorization"],
    });
  });

  test("keeps its headers at its origin, and when it changes to https", async () => {
    const { id } = await add({ headers: { Authorization: "Bearer 5ab1e" } });
    for (const [url, dropped] of [
      [`${second.url}/another/path`, []],
      [second.url.replace("http:", "https:"), []],
      [second.url, ["authorization"]],
    ] as const) {
      const { droppedHeaders } = await write(mine, (ctx) =>
        updateEndpoint(ctx, id, { webhookUrl: url }),
      );
      expect([url, droppedHeaders]).toEqual([url, dropped]);
    }
  });

  test("says in its answer which headers it left behind", async () => {
    const { id } = await add({ headers: { Authorization: "Bearer 5ab1e" } });
    const line = `PATCH /webhook-endpoints/${id}`;
    const unmoved = await ask(line, { events: ["card.created"] });
    expect(unmoved.json).toMatchObject({ dropped_headers: [] });
    const moved = await ask(line, { webhook_url: "https://elsewhere.example/" });
    expect(moved.json).toMatchObject({ data: { headers: {} }, dropped_headers: ["authorization"] });
  });

  test("gets the events of its new list from then on", async () => {
    const { id } = await add();
    await dataOf(`PATCH /webhook-endpoints/${id}`, { events: ["card.created"] });
    await freeze();
    work();
    await second.waitFor(1);
    await first.waitFor(5);
    expect(namesAt(second)).toEqual(["card.created"]);
  });

  test("is deleted with its deliveries: what is pending is not sent, and the account's goes on", async () => {
    const { id } = await add();
    await freeze();
    const [delivery] = await dataOf(`GET /webhook-deliveries?endpoint_id=${id}`);
    expect(await dataOf(`DELETE /webhook-endpoints/${id}`)).toMatchObject({ id, state: "on" });
    work();
    await first.waitFor(5);
    expect(second.received).toEqual([]);
    expect((await ask(`GET /webhook-endpoints/${id}`)).status).toBe(404);
    expect((await ask(`GET /webhook-deliveries/${delivery.id}`)).status).toBe(404);
    expect((await ask(`POST /webhook-deliveries/${delivery.id}/resend`)).status).toBe(404);
    expect(await dataOf(`GET /webhook-deliveries?endpoint_id=${id}`)).toEqual([]);
    expect(await dataOf("GET /webhook-endpoints")).toHaveLength(1);
    const [row] = await testDatabase()
      .db.select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.endpointId, id));
    expect(row?.state).toBe("stopped");
  });
});

describe("a client that knows only webhook_url", () => {
  test("notices nothing of another endpoint", async () => {
    const { id } = await add({ events: ["card.created", "card.frozen"] });
    second.behave(answer(500));
    work();
    await freeze();
    await dataOf("POST /webhooks/test", { endpoint_id: id });
    await first.waitFor(5);
    await second.waitFor(3);
    expect(namesAt(first).filter((name) => name === "webhook.test")).toHaveLength(1);
    await expect
      .poll(
        async () =>
          new Set(
            (await dataOf("GET /webhook-deliveries"))
              .map(Object)
              .map(({ state }: { state: string }) => state),
          ),
      )
      .toEqual(new Set(["delivered"]));
    const deliveries = await dataOf("GET /webhook-deliveries");
    expect(deliveries).toHaveLength(5);
    for (const { id: deliveryId, event_id: eventId, endpoint_id: endpointId } of deliveries) {
      expect({ deliveryId, endpointId }).toEqual({ deliveryId: eventId, endpointId: mine.id });
    }
    expect(await dataOf("GET /webhook-deliveries/missed")).toMatchObject({ count: 0 });
    expect(await dataOf("GET /webhooks")).toMatchObject({ state: "on", last_failure_at: null });
  });

  test("finds each delivery by its own id, whichever endpoint it goes to", async () => {
    const { id } = await add();
    await freeze();
    const [other] = await dataOf(`GET /webhook-deliveries?endpoint_id=${id}`);
    const [own] = await dataOf("GET /webhook-deliveries?event=card.frozen");
    expect(other.event_id).toBe(own.id);
    expect(other.id).not.toBe(own.id);
    expect((await dataOf(`GET /webhook-deliveries/${other.id}`)).endpoint_id).toBe(id);
    expect((await dataOf(`GET /webhook-deliveries/${own.id}`)).endpoint_id).toBe(mine.id);
    work();
    await first.waitFor(5);
    const path = `GET /webhook-deliveries/${other.id}`;
    await expect.poll(async () => (await dataOf(path)).state).toBe("delivered");
    expect((await dataOf(`POST /webhook-deliveries/${other.id}/resend`)).id).toBe(other.id);
    await second.waitFor(2);
    expect(first.received).toHaveLength(5);
  });
});
