import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advance, DAY_S, HOUR_S } from "#test/database/clock.ts";
import { call } from "#test/scene/api-client.ts";
import {
  freezeCard,
  newCard,
  newIntegrator,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy } from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";

const act = fc.record({
  card: fc.nat({ max: 2 }),
  kind: fc.constantFrom("buy" as const, "decline" as const, "freeze" as const, "lift" as const),
});
/** Of three cards: one may expire before, or about when, it is idle. */
const anyValidity = fc.tuple(
  fc.constant(365),
  fc.integer({ min: 7, max: 12 }),
  fc.integer({ min: 1, max: 30 }),
);
const life = fc.array(fc.oneof(act, fc.record({ wait: fc.constantFrom(1, 3, 6) })), {
  minLength: 3,
  maxLength: 10,
});

test("a preview counts the cards that are frozen a day after the setting, if nobody uses them", async () => {
  await fc.assert(
    fc.asyncProperty(life, fc.constantFrom(7, 9), anyValidity, async (steps, limit, validity) => {
      const world = await newIntegrator(1_000);
      const ids: string[] = [];
      for (const validityDays of validity) {
        ids.push((await newCard(world, 100, { validityDays })).id);
      }
      for (const step of steps) {
        if ("wait" in step) {
          await advance(world, step.wait * DAY_S);
        } else {
          await take(world, ids[step.card] ?? "", step.kind);
        }
      }
      const key = world.apiKey;
      const line = `GET /card-integrators/settings/idle-freeze-preview?idle_freeze_days=${limit}`;
      const { json } = await call(line, { key });
      const body = { idle_freeze_days: limit };
      await call("PATCH /card-integrators/settings", { key, body });
      await advance(world, DAY_S - HOUR_S);
      const before = await findIdle(world, ids);
      await advance(world, HOUR_S);
      const frozen = await findIdle(world, ids);
      const first = frozen.map((card_id) => expect.objectContaining({ card_id }));
      expect(json).toEqual({ data: { cards: frozen.length, first } });
      expect(before.length).toBeLessThanOrEqual(frozen.length);
    }),
    { numRuns: 12 },
  );
}, 120_000);

async function take(
  world: TestIntegrator,
  id: string,
  kind: "buy" | "decline" | "freeze" | "lift",
): Promise<void> {
  switch (kind) {
    case "buy":
      await buy(world, { cardId: id, amount: 1 });
      break;
    case "decline":
      await buy(world, { cardId: id, amount: 10_000 });
      break;
    case "freeze":
      await write(world, (ctx) => freezeCard(ctx, id, { reason: "lost" }));
      break;
    case "lift":
      await write(world, (ctx) => unfreezeCard(ctx, id, { comment: null }));
      break;
  }
}

async function findIdle(world: TestIntegrator, ids: readonly string[]): Promise<string[]> {
  const cards = await Promise.all(ids.map((id) => getCard(reading(world), id)));
  return cards.filter(({ freeze }) => freeze?.reason === "inactivity").map(({ id }) => id);
}
