import * as fc from "fast-check";
import { advance, clockOf } from "#test/database/clock.ts";
import { reading, write } from "#test/scene/fixtures.ts";
import { controlAccount, controlCard, toControls } from "#test/scene/spending-controls.ts";
import {
  buy,
  capture,
  expireNow,
  hold,
  increment,
  post,
  refundPurchase,
  reverse,
} from "#test/scene/spending.ts";
import { LIMIT_INTERVALS } from "#lib/cards/spending-controls.ts";
import { bookEarlier } from "#lib/purchases/internal/book-earlier.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import { giveBack, growAt } from "./limits-model.ts";
import type { Question, Row } from "./limits-model.ts";
import { addRow, ask, compare, nowOf } from "./limits-world.ts";
import type { World } from "./limits-world.ts";

/** What can happen to a card with spending controls. */

/** Does it to the card and to the model. */
export type Step = (world: World) => Promise<void>;

/** The card must not expire. */
const AHEAD_MAX_S = 300 * 86_400;
const HOLD_LIFE_MS = 7 * 86_400_000;

const CODES = ["5411", "5814", "7995"];
const COUNTRIES = ["US", "DE", "PT"];

/** With days of 23, 24, and 25 hours, and one whose midnight is skipped. */
export const anyZone = fc.constantFrom(
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "America/Santiago",
  "Pacific/Apia",
);

const anyCodes = (codes: readonly string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1 }), { nil: null, freq: 2 });

/** Of the two lists for the same, at most one. */
const anyLists = (codes: readonly string[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant([null, null] as const) },
    anyCodes(codes).map((allowed) => [allowed, null] as const),
    anyCodes(codes).map((blocked) => [null, blocked] as const),
  );

export const anyControls = fc
  .record({
    limits: fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 400 }),
        interval: fc.constantFrom(...LIMIT_INTERVALS),
        categories: anyCodes(CODES),
      }),
      { maxLength: 4 },
    ),
    categories: anyLists(CODES),
    countries: anyLists(COUNTRIES),
  })
  .map(({ limits, categories, countries }) =>
    toControls({
      spending_limits: limits,
      allowed_categories: categories[0],
      blocked_categories: categories[1],
      allowed_merchant_countries: countries[0],
      blocked_merchant_countries: countries[1],
    }),
  );

const anyQuestion = fc.record({
  amount: fc.integer({ min: 1, max: 150 }),
  mcc: fc.constantFrom(...CODES, null),
  country: fc.constantFrom(...COUNTRIES, null),
  allowPartial: fc.boolean(),
});

const anyAmount = fc.integer({ min: 1, max: 160 });

/** Which of the rows that there are. */
const anyPick = fc.nat({ max: 1_000 });

const isOpen = ({ open }: Row) => open > 0;
const isAuthorization = ({ dueAt }: Row) => dueAt > 0;
const isSettled = ({ settled }: Row) => settled > 0;

/** Does something to a row of a kind, if there is one. */
async function withRow(
  rows: readonly Row[],
  at: number,
  act: (row: Row) => Promise<void>,
): Promise<void> {
  const row = rows[at % rows.length];
  if (row) {
    await act(row);
  }
}

const toSpend = ({ cardId }: World, { mcc, country }: Pick<Question, "mcc" | "country">) => ({
  cardId,
  currency: null,
  narrative: null,
  merchant: { name: "Shop", mcc, city: null, country },
});

const authorization = anyQuestion.map((wanted): Step => async (world) => {
  const question = await ask(world, wanted);
  const { transaction } = await hold(world.integrator, { ...wanted, ...toSpend(world, wanted) });
  const approved = compare(world, question, transaction);
  if (approved !== null) {
    const dueAt = question.now + HOLD_LIFE_MS;
    addRow(world, question, { id: transaction.id, open: approved, dueAt, counted: approved });
  }
});

const verification = anyQuestion.map((wanted): Step => async (world) => {
  const question = await ask(world, { ...wanted, amount: 0 });
  const spend = { ...toSpend(world, wanted), amount: 0 };
  compare(world, question, (await hold(world.integrator, spend)).transaction);
});

const purchase = anyQuestion.map((wanted): Step => async (world) => {
  const question = await ask(world, { ...wanted, allowPartial: false });
  const spend = { ...toSpend(world, wanted), amount: wanted.amount };
  const { transaction } = await buy(world.integrator, spend);
  const approved = compare(world, question, transaction);
  if (approved !== null) {
    addRow(world, question, { id: transaction.id, settled: approved, counted: approved });
  }
});

/** Captured, in part or wholly, before its authorization comes. */
const lateAuthorization = fc
  .tuple(anyQuestion, anyAmount, fc.boolean())
  .map(([wanted, amount, final]): Step => async (world) => {
    const spend = toSpend(world, wanted);
    const captured = { mcc: wanted.mcc, now: await nowOf(world) };
    const early = await write(world.integrator, (ctx) =>
      bookEarlier(ctx, spend, [{ type: "capture", amount, final }]),
    );
    const [id = ""] = early.captureIds;
    addRow(world, captured, { id, settled: amount, counted: amount });
    const asked = final ? 0 : Math.max(0, wanted.amount - amount);
    const question = await ask(world, { ...wanted, amount: asked });
    const { transaction } = await hold(world.integrator, { ...wanted, ...spend, early });
    const approved = compare(world, question, transaction);
    if (approved !== null && approved > 0) {
      const dueAt = question.now + HOLD_LIFE_MS;
      addRow(world, question, { id: transaction.id, open: approved, dueAt, counted: approved });
    }
  });

const increase = fc.tuple(anyPick, anyAmount).map(([at, amount]): Step => async (world) => {
  await withRow(world.rows.filter(isOpen), at, async (of) => {
    const { merchant } = await getTransaction(reading(world.integrator), of.id);
    const country = merchant?.country ?? null;
    const question = await ask(world, { amount, mcc: of.mcc, country, allowPartial: false, of });
    const { transaction } = await increment(world.integrator, of.id, amount);
    if (compare(world, question, transaction) !== null) {
      of.open += amount;
      growAt(of, amount, question.now);
    }
  });
});

/** Of an authorization that is open, or long over. */
const clearing = fc
  .tuple(anyPick, anyAmount, fc.boolean())
  .map(([at, amount, final]): Step => async (world) => {
    await withRow(world.rows.filter(isAuthorization), at, async (row) => {
      const now = await nowOf(world);
      const { id } = await capture(world.integrator, row.id, { amount, final });
      const held = Math.min(amount, row.open);
      row.open -= held;
      giveBack(row, final ? row.open : 0);
      if (id !== row.id) {
        addRow(world, { now, mcc: row.mcc }, { id, settled: amount, counted: amount - held });
        return;
      }
      row.settled = amount;
      if (amount > held) {
        growAt(row, amount - held, now);
      }
    });
  });

const posting = anyAmount.map((amount): Step => async (world) => {
  const now = await nowOf(world);
  const { id } = await post(world.integrator, { cardId: world.cardId, amount });
  addRow(world, { now, mcc: null }, { id, settled: amount, counted: amount });
});

const reversal = fc
  .tuple(anyPick, fc.option(anyAmount, { nil: null }))
  .map(([at, amount]): Step => async (world) => {
    await withRow(world.rows.filter(isOpen), at, async (row) => {
      await reverse(world.integrator, row.id, amount);
      giveBack(row, Math.min(amount ?? row.open, row.open));
    });
  });

const expiry = anyPick.map((at): Step => async (world) => {
  await withRow(world.rows.filter(isOpen), at, async (row) => {
    await expireNow(world.integrator, row.id, world.cardId);
    giveBack(row, row.open);
  });
});

/** Gives nothing back. */
const refund = anyPick.map((at): Step => async ({ integrator, cardId, rows }) => {
  await withRow(rows.filter(isSettled), at, async ({ id: transactionId }) => {
    await refundPurchase(integrator, { cardId, transactionId, amount: 1 });
  });
});

/** Often so few that what was authorized is still open in the next period. */
const anyHours = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 30 * 24 }) },
  { weight: 1, arbitrary: fc.integer({ min: 600, max: 3_000 }) },
);

const wait = anyHours.map((hours): Step => async (world) => {
  const { offsetS } = await clockOf(world.integrator);
  if (offsetS + hours * 3_600 > AHEAD_MAX_S) {
    return;
  }
  await advance(world.integrator, hours * 3_600);
  const now = await nowOf(world);
  for (const row of world.rows.filter(({ open, dueAt }) => open > 0 && dueAt <= now)) {
    giveBack(row, row.open);
  }
});

const maybeControls = fc.option(anyControls, { nil: null, freq: 5 });

const cardControls = maybeControls.map((own): Step => async (world) => {
  await controlCard(world.integrator, world.cardId, own);
  world.own = own;
});

const accountControls = maybeControls.map((spendingControls): Step => async (world) => {
  await controlAccount(world.integrator, { spendingControls });
  world.ofAccount = spendingControls;
});

const zoneChange = anyZone.map((zone): Step => async (world) => {
  await controlAccount(world.integrator, { timeZone: zone });
  world.zone = zone;
});

export const anyStep = fc.oneof(
  { weight: 6, arbitrary: authorization },
  { weight: 1, arbitrary: verification },
  { weight: 2, arbitrary: purchase },
  { weight: 2, arbitrary: lateAuthorization },
  { weight: 4, arbitrary: increase },
  { weight: 4, arbitrary: clearing },
  { weight: 2, arbitrary: posting },
  { weight: 3, arbitrary: reversal },
  { weight: 1, arbitrary: expiry },
  { weight: 1, arbitrary: refund },
  { weight: 5, arbitrary: wait },
  { weight: 2, arbitrary: cardControls },
  { weight: 1, arbitrary: accountControls },
  { weight: 1, arbitrary: zoneChange },
);
