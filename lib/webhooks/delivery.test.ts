import { and, eq, sql } from "drizzle-orm";
import { Webhook as Reference } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { receiverOf, useWorkers, work } from "#test/outside/each-worker.ts";
import { freezeCard, newCard, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  attemptsOf,
  endpointOf,
  notified,
  ofTenant,
  secretOf,
  toPublishedChecksum,
  until,
} from "#test/outside/notifications.ts";
import { answer } from "#test/outside/receiver.ts";
import { auditLog, events } from "#db/schema/events.ts";
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookPreviousSecrets,
} from "#db/schema/webhooks.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { rotateSigningSecret } from "#lib/webhooks/endpoint-secret.ts";
import { wakeWorkers } from "#lib/base/wake.ts";

useWorkers();

async function switchOffAuditOf({ id }: TestIntegrator) {
  const rows = await testDatabase().db.select().from(auditLog).where(eq(auditLog.integratorId, id));
  return rows.find(({ action }) => action === "webhooks.switched-off");
}

describe("a notification", () => {
  test("arrives byte for byte as it was recorded, signed for both libraries", async () => {
    const receiver = await receiverOf();
    work();
    const integrator = await notified(receiver);
    const card = await newCard(integrator);
    await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "lost", comment: "Café" }));
    const received = await receiver.waitFor(5);
    const names = received.map(({ body }) => String(JSON.parse(body).event));
    expect(names.toSorted()).toEqual([
      "card.created",
      "card.frozen",
      "integrator.updated",
      "user.kyc-verification",
      "webhook.test",
    ]);
    const secret = await secretOf(integrator);
    for (const { headers, body } of received) {
      const id = String(headers["webhook-id"]);
      const [event] = await readRecorded(
        and(eq(events.integratorId, integrator.id), eq(events.id, id)),
      );
      expect(event?.body).toBe(body);
      expect(headers["content-type"]).toBe("application/json");
      const signed = headers as Record<string, string>;
      expect(() => new Reference(secret).verify(body, signed)).not.toThrow();
      expect(() => new Svix(secret).verify(body, signed)).not.toThrow();
      expect(() => new Reference(secret).verify(`${body} `, signed)).toThrow(/signature/iu);
      expect(JSON.parse(body).checksum).toBe(toPublishedChecksum(integrator.id, body));
    }
    await until(integrator, ({ state }) => state === "delivered");
    expect(await attemptsOf(integrator)).toHaveLength(5);
    expect((await attemptsOf(integrator))[0]).toMatchObject({
      number: 1,
      url: receiver.url,
      address: "127.0.0.1",
      status: 200,
      failure: null,
      requestHeaders: { "webhook-id": expect.any(String), "Content-Type": "application/json" },
      responseHeaders: { connection: "keep-alive" },
    });
  });

  test("arrives within a second of the commit unless the machine is overloaded", async () => {
    const receiver = await receiverOf();
    work();
    const integrator = await notified(receiver);
    await receiver.waitFor(2);
    const measure = async (): Promise<number> => {
      const before = receiver.received.length;
      await write(integrator, sendTest);
      const committed = Date.now();
      const received = await receiver.waitFor(before + 1);
      return (received.at(-1)?.at ?? Number.NaN) - committed;
    };
    // A busy machine gets several rounds; a worker that is not woken takes too long in each.
    await expect.poll(measure, { interval: 0, timeout: 25_000 }).toBeLessThan(1_000);
  });

  test("that fails is retried unchanged except for its timestamp, and counts its failures", async () => {
    const receiver = await receiverOf(answer(500, {}, "no"));
    work();
    const integrator = await notified(receiver);
    const failed = await until(integrator, ({ failures }) => failures === 1);
    const waits = failed.map(
      ({ dueAt, lastAttemptAt }) => dueAt.getTime() - (lastAttemptAt?.getTime() ?? Number.NaN),
    );
    // Five seconds, plus or minus a fifth; the times come from two statements of one transaction.
    expect(Math.min(...waits)).toBeGreaterThan(3_000);
    expect(Math.max(...waits)).toBeLessThan(8_000);
    expect(failed[0]).toMatchObject({
      state: "pending",
      lockedBy: null,
      attempts: 1,
      lastStatus: 500,
      lastFailure: "server_failed",
    });
    expect((await endpointOf(integrator)).failingSince).not.toBeNull();
    receiver.behave(answer(204));
    await testDatabase()
      .db.update(webhookDeliveries)
      .set({ dueAt: sql`clock_timestamp()` })
      .where(ofTenant(integrator));
    wakeWorkers();
    const arrived = await until(integrator, ({ state }) => state === "delivered");
    expect(arrived[0]).toMatchObject({ attempts: 2, failures: 1, lastStatus: 204 });
    expect(await endpointOf(integrator)).toMatchObject({
      failingSince: null,
      lastSuccessAt: expect.any(Date),
    });
    const bodies = receiver.received.map(
      ({ headers, body }) => `${String(headers["webhook-id"])} ${body}`,
    );
    expect(new Set(bodies).size).toBe(2);
    expect(bodies).toHaveLength(4);
    expect(
      (await attemptsOf(integrator)).map(({ status, responseBody }) => [status, responseBody]),
    ).toEqual([
      [500, "no"],
      [204, null],
      [500, "no"],
      [204, null],
    ]);
  });

  test("is exhausted after the tenth failure", async () => {
    const receiver = await receiverOf(answer(404));
    const integrator = await notified(receiver);
    await testDatabase()
      .db.update(webhookDeliveries)
      .set({ failures: 9, attempts: 9 })
      .where(ofTenant(integrator));
    work();
    const [row] = await until(integrator, ({ state }) => state === "exhausted");
    expect(row).toMatchObject({ attempts: 10, failures: 10, lastFailure: "rejected" });
  });

  test("after rotations is signed with every secret of the last day, and a day later with only the newest", async () => {
    const receiver = await receiverOf();
    work();
    const integrator = await notified(receiver);
    await receiver.waitFor(2);
    const secrets = [await secretOf(integrator)];
    for (let rotated = 0; rotated < 5; rotated += 1) {
      secrets.push(await write(integrator, rotateSigningSecret));
    }
    await write(integrator, sendTest);
    const third = (await receiver.waitFor(3)).at(-1);
    for (const secret of secrets) {
      const signed = third?.headers as Record<string, string>;
      expect(() => new Reference(secret).verify(third?.body ?? "", signed)).not.toThrow();
    }
    await testDatabase()
      .db.update(webhookPreviousSecrets)
      .set({ createdAt: sql`clock_timestamp() - interval '24 hours'` })
      .where(eq(webhookPreviousSecrets.endpointId, integrator.id));
    await write(integrator, sendTest);
    const fourth = (await receiver.waitFor(4)).at(-1);
    expect(fourth?.headers["webhook-signature"]).toMatch(/^v1,\S+$/u);
  });
});

describe("an endpoint is switched off", () => {
  test("immediately by a 410, and pending deliveries stop", async () => {
    const receiver = await receiverOf(answer(410));
    work();
    const integrator = await notified(receiver);
    await until(integrator, ({ state }) => state === "stopped");
    expect(await endpointOf(integrator)).toMatchObject({ switchedOffReason: "gone" });
    expect(await switchOffAuditOf(integrator)).toMatchObject({
      actor: { type: "system" },
      after: { state: "switched_off", reason: "gone" },
    });
  });

  test("after everything has failed for 120 hours, and not before", async () => {
    const receiver = await receiverOf(answer(500));
    work();
    const integrator = await notified(receiver);
    const { db } = testDatabase();
    const failFor = async (hours: number) => {
      await db
        .update(webhookEndpoints)
        .set({ failingSince: sql`clock_timestamp() - make_interval(mins => ${hours * 60 + 1})` })
        .where(eq(webhookEndpoints.integratorId, integrator.id));
      await write(integrator, sendTest);
    };
    await until(integrator, ({ failures }) => failures === 1);
    await failFor(119);
    await until(integrator, ({ failures }) => failures >= 1);
    expect((await endpointOf(integrator)).switchedOffAt).toBeNull();
    await failFor(120);
    await until(integrator, ({ state }) => state === "stopped");
    expect(await switchOffAuditOf(integrator)).toMatchObject({ after: { reason: "failing" } });
  });

  test("and a delivery recorded concurrently is stopped when it comes due", async () => {
    const receiver = await receiverOf();
    const integrator = await notified(receiver);
    await testDatabase()
      .db.update(webhookEndpoints)
      .set({ switchedOffAt: sql`clock_timestamp()`, switchedOffReason: "gone" })
      .where(eq(webhookEndpoints.integratorId, integrator.id));
    work();
    await until(integrator, ({ state }) => state === "stopped");
    expect(receiver.connections()).toBe(0);
  });
});
