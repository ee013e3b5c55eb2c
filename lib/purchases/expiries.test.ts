import * as fc from "fast-check";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { capture, eventsOf, holdId, passDeadline, reverse } from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { expireAuthorizations } from "#lib/purchases/expiries.ts";
import type { ExpiringHold } from "#lib/purchases/expiries.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

const AMOUNT = 20;
const CARDS = ["lasting", "lasting", "single-use", "closed"] as const;

/** An authorization: its card, what is captured or reversed of it, and whether its deadline has passed. */
const authorization = fc.record({
  card: fc.constantFrom(...CARDS.keys()),
  captured: fc.constantFrom(0, 0, 5, AMOUNT),
  reversed: fc.constantFrom(0, 0, 5, AMOUNT),
  hasExpired: fc.boolean(),
});

type Authorization = typeof authorization extends fc.Arbitrary<infer Value> ? Value : never;

/** One of each card that was captured in part and has expired. The last release of the single-use one closes it. */
const EACH_CARD = [...CARDS.keys()].map((card) => ({
  card,
  captured: 5,
  reversed: 0,
  hasExpired: true,
}));

/** An integrator with these authorizations, in their order. */
async function openAccount(authorizations: readonly Authorization[]) {
  const integrator = await newIntegrator(1_000);
  const cardIds: string[] = [];
  for (const kind of CARDS) {
    cardIds.push((await newCard(integrator, 100, { singleUse: kind === "single-use" })).id);
  }
  const holds: ExpiringHold[] = [];
  for (const each of authorizations) {
    const cardId = cardIds[each.card] ?? "";
    holds.push({ id: await authorizeOn(integrator, cardId, each), cardId });
  }
  await write(integrator, (ctx) => closeCard(ctx, cardIds.at(-1) ?? "", { comment: null }));
  for (const [index, { hasExpired }] of authorizations.entries()) {
    if (hasExpired) {
      await passDeadline(integrator, holds[index]?.id ?? "");
    }
  }
  return { integrator, cardIds, holds };
}

async function authorizeOn(
  integrator: TestIntegrator,
  cardId: string,
  { captured, reversed }: Authorization,
): Promise<string> {
  const id = await holdId(integrator, { cardId, amount: AMOUNT });
  if (captured > 0) {
    await capture(integrator, id, { amount: captured });
  }
  const left = Math.min(reversed, AMOUNT - captured);
  if (left > 0) {
    await reverse(integrator, id, left);
  }
  return id;
}

/** All that an expiry changes, without ids and times. */
async function readState({ integrator, cardIds, holds }: Awaited<ReturnType<typeof openAccount>>) {
  const cards = cardIds.map(async (id) => {
    const { balance, held, status } = await getCard(reading(integrator), id);
    const events = await eventsOf(integrator, id);
    return {
      card: { balance, held, status },
      events: events.map(({ event, data }) => [event, data["amount"], data["status"]]),
    };
  });
  const rows = holds.map(async ({ id }) => {
    const { status, amount, holdCaptured, holdReleased } = await getTransaction(
      reading(integrator),
      id,
    );
    return { status, amount, holdCaptured, holdReleased };
  });
  const { balance } = await getFloat(reading(integrator));
  return { cards: await Promise.all(cards), rows: await Promise.all(rows), float: balance };
}

test("authorizations that expire together end as those that expire one by one; what has ended or not expired stays", async () => {
  const authorizations = fc
    .array(authorization, { minLength: 4, maxLength: 8 })
    // A single-use card approves one purchase.
    .filter((chosen) => chosen.filter(({ card }) => CARDS[card] === "single-use").length <= 1);
  await fc.assert(
    fc.asyncProperty(authorizations, async (chosen) => {
      const [together, alone] = await Promise.all([openAccount(chosen), openAccount(chosen)]);
      await write(together.integrator, (ctx) => expireAuthorizations(ctx, together.holds));
      for (const { id } of alone.holds) {
        await write(alone.integrator, (ctx) => expireAuthorization(ctx, id));
      }
      const state = await readState(together);
      expect(state).toEqual(await readState(alone));
      // A repeat finds nothing to do.
      await write(together.integrator, (ctx) => expireAuthorizations(ctx, together.holds));
      expect(await readState(together)).toEqual(state);
    }),
    { numRuns: 8, examples: [[EACH_CARD]] },
  );
});

test("nothing expires while the books of its integrator are not balanced", async () => {
  const [integrator, { db }] = [await newIntegrator(100), testDatabase()];
  const { id: cardId } = await newCard(integrator, 50);
  const id = await holdId(integrator, { cardId, amount: 5, expiresInS: 0 });
  await setUnbalanced(integrator, sql`clock_timestamp()`);
  const expire = () => write(integrator, (ctx) => expireAuthorizations(ctx, [{ id, cardId }]));
  await expect(expire()).rejects.toMatchObject({ code: "books_unbalanced" });
  expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 5 });
  await setUnbalanced(integrator, sql`null`);
  await expire();
  expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 0 });

  async function setUnbalanced({ id: of }: TestIntegrator, at: ReturnType<typeof sql>) {
    await db.execute(sql`update integrators set books_unbalanced_at = ${at} where id = ${of}`);
  }
});
