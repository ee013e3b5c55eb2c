import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listAlerts } from "#lib/overview/alerts.ts";
import { integrators } from "#db/schema/integrators.ts";
import { testDatabase } from "#test/database/database.ts";
import { createEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";

let mine: TestIntegrator;

beforeEach(async () => {
  mine = await newIntegrator(10_000);
  await newCard(mine, 4_000);
});

const set = (values: Partial<typeof integrators.$inferInsert>) =>
  testDatabase().db.update(integrators).set(values).where(eq(integrators.id, mine.id));

const alerts = () => listAlerts(reading(mine));

test("an account in order has none", async () => {
  await set({ lowBalanceThreshold: 6_000 });
  expect(await alerts()).toEqual([]);
});

test("a float below its threshold is one", async () => {
  await set({ lowBalanceThreshold: 6_001 });
  expect(await alerts()).toEqual([
    { kind: "float_low", available: 6_000, threshold: 6_001, currency: "USD" },
  ]);
});

test("an open discrepancy in the ledger comes first", async () => {
  await set({ lowBalanceThreshold: 9_000, booksUnbalancedAt: new Date() });
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["books_unbalanced", "float_low"]);
});

async function fail(forHours: number): Promise<void> {
  const { db } = testDatabase();
  await setWebhookUrl(mine, "https://hooks.example");
  await db.execute(sql`
    update webhook_endpoints set failing_since = clock_timestamp() - make_interval(mins => ${forHours * 60}::int)
    where integrator_id = ${mine.id}`);
}

test.each([
  [0.1, []],
  [1, [{ kind: "webhooks_failing", isUrgent: false }]],
  [95, [{ kind: "webhooks_failing", isUrgent: false }]],
  [97, [{ kind: "webhooks_failing", isUrgent: true }]],
  [130, [{ kind: "webhooks_failing", until: null, isUrgent: true }]],
])("an endpoint that has failed for %d hours", async (hours, expected) => {
  await fail(hours);
  expect(await alerts()).toMatchObject(expected);
  expect(await alerts()).toHaveLength(expected.length);
});

test("a failing endpoint says when it will be disabled: 120 hours after its first failure", async () => {
  await fail(2);
  const [alert] = await alerts();
  if (alert?.kind !== "webhooks_failing") {
    throw new Error("The endpoint does not fail.");
  }
  expect(Number(alert.until) - alert.since.getTime()).toBe(120 * 3_600_000);
});

test("a disabled endpoint says so instead, and one without a URL says nothing", async () => {
  await fail(121);
  await testDatabase().db.execute(sql`
    update webhook_endpoints set switched_off_at = clock_timestamp(), switched_off_reason = 'failing'
    where integrator_id = ${mine.id}`);
  expect(await alerts()).toMatchObject([{ kind: "webhooks_disabled", reason: "failing" }]);
  await setWebhookUrl(mine, null);
  expect(await alerts()).toEqual([]);
});

test("another endpoint is named, and the account's says nothing", async () => {
  await setWebhookUrl(mine, "https://hooks.example");
  const { endpoint } = await write(mine, (ctx) =>
    createEndpoint(ctx, {
      webhookUrl: "https://ledger.example/",
      events: ["card.frozen"],
      format: "event",
      headers: {},
    }),
  );
  await testDatabase().db.execute(sql`
    update webhook_endpoints set switched_off_at = clock_timestamp(), switched_off_reason = 'gone'
    where id = ${endpoint.id}`);
  const about = { id: endpoint.id, url: "https://ledger.example/" };
  expect(await alerts()).toMatchObject([{ kind: "webhooks_disabled", endpoint: about }]);
});
