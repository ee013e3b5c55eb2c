import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { waitForHorizon } from "#test/database/feed-horizon.ts";
import { createEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";
import { freezeCard, move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy } from "#test/scene/spending.ts";
import { newStaff } from "#test/scene/staff.ts";
import { apiLog } from "#db/schema/events.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import { readAccountVersion } from "#lib/overview/account-version.ts";

const FURTHER = {
  webhookUrl: "https://ledger.example.com/",
  events: ["card.frozen"],
  format: "event",
  headers: {},
} as const;

const versionOf = (integrator: TestIntegrator) => readAccountVersion(reading(integrator));

test("the version changes with everything that screens show, and with nothing else", async () => {
  const integrator = await newIntegrator(10_000);
  const { id: cardId } = await newCard(integrator, 100);
  await waitForHorizon();
  await setWebhookUrl(integrator, "https://hooks.example.com/");
  const seen = new Set([await versionOf(integrator)]);
  const changes = [
    () => move(integrator, { kind: "credit", cardId, amount: 1 }),
    () => buy(integrator, { cardId, amount: 1 }),
    () => buy(integrator, { cardId, amount: 1_000_000 }),
    () => write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null, comment: null })),
    () => newCard(integrator),
    () => write(integrator, (ctx) => updateSettings(ctx, { lowBalanceThreshold: 5 })),
    () =>
      testDatabase().db.execute(
        `insert into webhook_deliveries (endpoint_id, event_id, event, state, due_at)
          select integrator_id, id, event, 'stopped', now() from events where integrator_id = '${integrator.id}' limit 1`,
      ),
    () => write(integrator, (ctx) => createEndpoint(ctx, FURTHER)),
    () =>
      testDatabase().db.execute(
        `update webhook_endpoints set failing_since = now() where integrator_id = '${integrator.id}' and place = 2`,
      ),
  ];
  for (const change of changes) {
    await change();
    const version = await versionOf(integrator);
    expect(seen).not.toContain(version);
    await waitForHorizon();
    seen.add(await versionOf(integrator));
    seen.add(version);
  }
  const before = await versionOf(integrator);
  await newCard(await newIntegrator(1_000), 100);
  expect(await versionOf(integrator)).toBe(before);
});

test("a change that began before a newer one and commits after it is noticed", async () => {
  const integrator = await newIntegrator(10_000);
  const [slowCard, fastCard] = [await newCard(integrator), await newCard(integrator)];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: written, resolve: hold } = Promise.withResolvers<void>();
  const slow = write(integrator, async (ctx) => {
    await freezeCard(ctx, slowCard.id, { reason: null, comment: null });
    hold();
    await released;
  });
  await written;
  await write(integrator, (ctx) => freezeCard(ctx, fastCard.id, { reason: null, comment: null }));
  const before = await versionOf(integrator);
  release();
  await slow;
  // At once where the horizon has passed it, and otherwise as soon as it does.
  await expect.poll(() => versionOf(integrator), { timeout: 30_000 }).not.toBe(before);
});

test("only signed-in staff ask for it, and the API log does not list what pages ask by themselves", async () => {
  const integrator = await newIntegrator();
  const { headers } = await newStaff(integrator.id, "viewer");
  const line = "GET /card-integrators/me/version";
  expect(await call(line, { headers })).toMatchObject({
    status: 200,
    json: { version: expect.stringMatching(/^[\w-]{43}$/u) },
  });
  expect(await call(line, { key: integrator.apiKey })).toMatchObject({
    json: { code: "scope_missing" },
  });
  expect(await call("GET /cards", { headers })).toMatchObject({ status: 200 });
  await flushApiLog();
  const { db } = testDatabase();
  const rows = await db
    .select({ operation: apiLog.operation })
    .from(apiLog)
    .where(eq(apiLog.integratorId, integrator.id));
  expect(rows).toEqual([{ operation: "listCards" }]);
});
