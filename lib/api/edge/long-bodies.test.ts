import postgres from "postgres";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";

/** As many as wait for one sender, and one more. */
const REQUESTS = 65;
/** Enough for a body of more than 16 KiB. */
const ITEMS = 400;

test("long requests of one sender wait for each other, not on the database's connections", async () => {
  const large = await newIntegrator(1_000_000);
  const other = await newIntegrator(1_000);
  const [largeCard, otherCard] = [await newCard(large), await newCard(other)];
  const items = Array.from({ length: ITEMS }, () => ({ card_id: largeCard.id, amount: 1 }));
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const { asked: all } = await owner.begin(async (tx) => {
    await tx`lock table bulk_jobs in access exclusive mode`;
    const asked = Array.from({ length: REQUESTS }, () =>
      call("POST /bulk", { key: large.apiKey, body: { operation: "credit", items } }),
    );
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ status: 503, json: { code: "overloaded" } });
    const credit = await call("PATCH /cards/credit/balance", {
      key: other.apiKey,
      body: { card_id: otherCard.id, amount: 1 },
    });
    expect(credit.status).toBe(200);
    return { asked };
  });
  await owner.end();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(REQUESTS - 1);
});
