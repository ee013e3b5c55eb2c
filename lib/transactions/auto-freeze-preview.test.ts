import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "#test/database/clock.ts";
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
import { buy, declineFor, hold } from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

const CARDS = 1;
const BALANCE = 1_000;

const cards = fc.nat({ max: CARDS - 1 });
const levels = fc.constantFrom("cardholder" as const, "staff" as const);
const onCard = <const Act extends string>(act: Act, weight: number) => ({
  weight,
  arbitrary: fc.record({ act: fc.constant(act), card: cards }),
});
const step = fc.oneof(
  onCard("decline", 6),
  onCard("foreign", 2),
  onCard("buy", 1),
  onCard("forced", 2),
  onCard("freeze and lift", 2),
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom("freeze" as const, "lift" as const),
      card: cards,
      level: levels,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("wait" as const),
      minutes: fc.constantFrom(4, 10, 25),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const rule = fc.record({
  declines: fc.constantFrom(2, 2, 3),
  within_minutes: fc.constantFrom(5, 20),
  reasons: fc.constantFrom(null, null, ["insufficient_funds"], ["currency_mismatch"]),
});

async function open(auto_freeze: object | null) {
  const integrator = await newIntegrator(CARDS * BALANCE);
  const ids: string[] = [];
  for (let at = 0; at < CARDS; at += 1) {
    ids.push((await newCard(integrator, BALANCE)).id);
  }
  const body = { auto_freeze };
  await call("PATCH /card-integrators/settings", { key: integrator.apiKey, body });
  return { integrator, ids };
}

async function take({ integrator, ids }: Awaited<ReturnType<typeof open>>, taken: Step) {
  if (taken.act === "wait") {
    await advance(integrator, taken.minutes * 60);
    return;
  }
  const cardId = ids[taken.card] ?? "";
  if (await isFrozenByRule(integrator, cardId)) {
    return;
  }
  await ACTS[taken.act](integrator, cardId, "level" in taken ? taken.level : null);
}

const lift = (integrator: TestIntegrator, cardId: string, level: FreezeLevel | null) =>
  write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null, level }));

const freeze = (integrator: TestIntegrator, cardId: string, level: FreezeLevel | null) =>
  write(integrator, (ctx) =>
    freezeCard(ctx, cardId, { reason: null, ...(level ? { level } : {}) }),
  );

const ACTS: Readonly<
  Record<
    Exclude<Step["act"], "wait">,
    (integrator: TestIntegrator, cardId: string, level: FreezeLevel | null) => Promise<unknown>
  >
> = {
  decline: (integrator, cardId) => hold(integrator, { cardId, amount: BALANCE * 2 }),
  foreign: (integrator, cardId) => hold(integrator, { cardId, amount: 1, currency: "EUR" }),
  buy: (integrator, cardId) => buy(integrator, { cardId, amount: 1 }),
  forced: (integrator, cardId) =>
    declineFor(integrator, "insufficient_funds", { cardId, amount: 1 }),
  freeze,
  lift,
  "freeze and lift": async (integrator, cardId) => {
    await freeze(integrator, cardId, null);
    await lift(integrator, cardId, null);
  },
};

async function isFrozenByRule(integrator: TestIntegrator, cardId: string): Promise<boolean> {
  const card = await getCard(reading(integrator), cardId);
  return card.freeze?.reason === "too_many_declines";
}

async function preview(
  { integrator }: { integrator: TestIntegrator },
  {
    declines,
    within_minutes,
    reasons,
  }: { declines: number; within_minutes: number; reasons: readonly string[] | null },
): Promise<unknown> {
  const query = new URLSearchParams({
    declines: String(declines),
    within_minutes: String(within_minutes),
    ...(reasons && { reasons: reasons.join(",") }),
  });
  const line = `GET /card-integrators/settings/auto-freeze-preview?${query}`;
  return (await call(line, { key: integrator.apiKey })).json;
}

const toAnswer = (ids: readonly string[]) => ({
  data: {
    days: 30,
    cards: ids.length,
    first: ids.map((card_id) => expect.objectContaining({ card_id })),
  },
});

test("a preview counts the cards that the rule freezes when the same happens with it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 9 }),
      rule,
      async (steps, auto_freeze) => {
        const without = await open(null);
        const ruled = await open(auto_freeze);
        for (const each of steps) {
          await take(without, each);
          await take(ruled, each);
        }
        const frozen = await Promise.all(
          ruled.ids.map((id) => isFrozenByRule(ruled.integrator, id)),
        );
        for (const account of [without, ruled]) {
          const ids = account.ids.filter((_, at) => frozen[at]);
          expect(await preview(account, auto_freeze)).toEqual(toAnswer(ids));
        }
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

test("a preview leaves out what is older than its days, by the account's clock", async () => {
  const account = await open(null);
  const decline = { act: "decline", card: 0 } as const;
  await take(account, decline);
  await take(account, decline);
  const found = { declines: 2, within_minutes: 10, reasons: null };
  expect(await preview(account, found)).toEqual(toAnswer(account.ids.slice(0, 1)));
  await advance(account.integrator, 30 * 24 * 3_600);
  expect(await preview(account, found)).toEqual(toAnswer([]));
});
