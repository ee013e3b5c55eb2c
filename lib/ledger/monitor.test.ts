import postgres from "postgres";
import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "#db/testing/database.ts";
import { move, newCard, newIntegrator } from "#db/testing/fixtures.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { integrators } from "#db/schema/integrators.ts";

/** Breaks the books as no client can: with the owner's role and the triggers switched off. */
async function tamper(cardId: string, by: number): Promise<void> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await owner.begin(async (sql) => {
      await sql`alter table ledger_accounts disable trigger all`;
      await sql`update ledger_accounts set balance = balance + ${by} where id = ${cardId}`;
      await sql`alter table ledger_accounts enable trigger all`;
    });
  } finally {
    await owner.end();
  }
}

let tampered: string | undefined;

afterEach(async () => {
  if (tampered) {
    await tamper(tampered, -1);
    tampered = undefined;
  }
});

test("a balance that its entries do not explain stops the funds of that integrator alone, until it is mended", async () => {
  const { db } = testDatabase();
  const [sick, healthy] = [await newIntegrator(1_000), await newIntegrator(1_000)];
  const [card, other] = [await newCard(sick, 100), await newCard(healthy)];
  expect(await checkBooks(db, "recent")).toEqual([]);
  await move(sick, { kind: "credit", cardId: card.id, amount: 1 });
  await tamper(card.id, 1);
  tampered = card.id;

  const misses = await checkBooks(db, "recent");
  expect(misses).toContainEqual({
    integratorId: sick.id,
    rule: "a balance is the sum and the last balance_after of its entries",
    about: card.id,
  });
  expect(await move(sick, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    posted: false,
    error: { code: "books_unbalanced" },
  });
  expect(await move(healthy, { kind: "credit", cardId: other.id, amount: 1 })).toMatchObject({
    posted: true,
  });

  await tamper(card.id, -1);
  tampered = undefined;
  expect(await checkBooks(db, "full")).toEqual([]);
  const [row] = await db
    .select({ at: integrators.booksUnbalancedAt })
    .from(integrators)
    .where(eq(integrators.id, sick.id));
  expect(row?.at).toBeNull();
  expect(await move(sick, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    posted: true,
  });
});
