import { expect, test } from "vitest";
import { move, newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import { getFloat } from "#lib/funds/float.ts";
import { readTotals } from "#lib/statements/internal/totals.ts";
import { toPeriod } from "#lib/statements/period.ts";

/** More lines than are added up while somebody waits. */
const MANY = { after: 0, through: 100_001 };

test("in a period of many lines, what is not known by kind is a total of its own, and they add up", async () => {
  const integrator = await newIntegrator(10_000);
  const { id } = await newCard(integrator);
  await move(integrator, { kind: "credit", cardId: id, amount: 3_000 });
  const ctx = reading(integrator);
  const period = toPeriod({}, { timeZone: "UTC", now: new Date() });
  const card = { id, kind: "card", currency: "USD" } as const;
  const ofCard = { account: card, period, moved: 3_000 };
  expect(await readTotals(ctx, { ...ofCard, range: MANY })).toEqual([
    { kind: "other", name: "Other movements", net: 3_000 },
  ]);
  expect(await readTotals(ctx, { ...ofCard, range: { after: 0, through: 1 } })).toEqual([
    { kind: "card_credit", name: "Funded from the float", net: 3_000 },
  ]);
  const float = { id: (await getFloat(ctx)).id, kind: "float", currency: "USD" } as const;
  const byKind = [
    { kind: "float_top_up", name: "Top-ups", net: 10_000 },
    { kind: "card_credit", name: "Funded cards", net: -3_000 },
  ];
  const ofFloat = { account: float, period, range: MANY };
  expect(await readTotals(ctx, { ...ofFloat, moved: 7_000 })).toEqual(byKind);
  expect(await readTotals(ctx, { ...ofFloat, moved: 7_005 })).toEqual([
    ...byKind,
    { kind: "other", name: "Other movements", net: 5 },
  ]);
});
