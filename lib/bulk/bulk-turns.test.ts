import { inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { bulkJobs } from "#db/schema/bulk.ts";
import { database } from "#db/client.ts";

/** Three batches, of which the first is done with the request. */
const ITEMS = 130;

interface Tenant {
  integrator: TestIntegrator;
  cardId: string;
}

let large: Tenant;
let small: Tenant;

async function newTenant(): Promise<Tenant> {
  const integrator = await newIntegrator(1_000_000);
  return { integrator, cardId: (await newCard(integrator)).id };
}

beforeEach(async () => {
  large = await newTenant();
  small = await newTenant();
});

/** Makes a job of a tenant. @returns its id. */
async function make(
  { integrator, cardId }: Tenant,
  operation: "credit" | "freeze",
): Promise<string> {
  const item = { card_id: cardId, ...(operation === "credit" && { amount: 1 }) };
  const items = Array.from({ length: ITEMS }, () => item);
  const { status, text } = await call("POST /bulk", {
    key: integrator.apiKey,
    body: { operation, items },
  });
  expect(status).toBe(202);
  return JSON.parse(text).data.id;
}

/** Does everything. @returns the ids of these jobs in the order in which they ended. */
async function finish(ids: readonly string[]): Promise<string[]> {
  await runBulkJobs(database());
  const rows = await database()
    .select()
    .from(bulkJobs)
    .where(inArray(bulkJobs.id, [...ids]));
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["completed"]));
  const byEnd = rows.toSorted((a, b) => Number(a.endedAt) - Number(b.endedAt));
  return byEnd.map(({ id }) => id);
}

test.each(["credit", "freeze"] as const)(
  "a tenant's 21 jobs do not delay another tenant's %s by more than a turn each",
  async (operation) => {
    const many: string[] = [];
    for (let at = 0; at < 21; at += 1) {
      many.push(await make(large, operation));
    }
    const one = await make(small, operation);
    const order = await finish([...many, one]);
    // Both need as many turns for their first jobs.
    expect(order.indexOf(one)).toBeLessThanOrEqual(1);
  },
);

test("a freeze is done before a credit of its own tenant, and before others' credits", async () => {
  const others = await Promise.all(Array.from({ length: 4 }, newTenant));
  const credits: string[] = [];
  for (const tenant of [small, large, ...others]) {
    credits.push(await make(tenant, "credit"));
  }
  const freeze = await make(small, "freeze");
  const order = await finish([...credits, freeze]);
  expect(order[0]).toBe(freeze);
});
