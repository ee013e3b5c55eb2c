import * as fc from "fast-check";
import { advance } from "#test/database/clock.ts";
import { reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, capture, expireNow, hold, increment, post, reverse } from "#test/scene/spending.ts";
import { bookEarlier } from "#lib/purchases/internal/book-earlier.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** What a card network sends about a card, so that two accounts can receive the same. */

interface Question {
  amount: number;
  mcc: string | null;
  country: string | null;
}

/** `of`: which of the purchases that came before it. */
type Message =
  | (Question & { type: "authorize" })
  | (Question & { type: "purchase" })
  | (Question & { type: "late"; captured: number; final: boolean })
  | { type: "increment"; of: number; amount: number }
  | { type: "capture"; of: number; amount: number; final: boolean }
  | { type: "reverse"; of: number; amount: number | null }
  | { type: "expire"; of: number }
  | { type: "post"; amount: number }
  | { type: "wait"; hours: number };

/** Of one purchase, whatever became of it. */
interface Declined {
  name: number;
  reason: string;
  amount: number;
}

export interface Performed {
  /** The transactions of the purchases, by name. */
  ids: Map<number, string>;
  declines: Declined[];
  questions: number;
  sent: Set<number>;
}

const anyAmount = fc.integer({ min: 1, max: 150 });
const anyOf = fc.nat({ max: 30 });
const question = {
  amount: anyAmount,
  mcc: fc.constantFrom("5411", "5814", "7995", null),
  country: fc.constantFrom("US", "DE", "PT", null),
};

const as = <Type extends Message["type"]>(type: Type) => fc.constant(type);

/** Within 80 days, so that a backtest sees all of it. */
export const anyScript = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: as("authorize"), ...question }) },
    { weight: 2, arbitrary: fc.record({ type: as("purchase"), ...question }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: as("late"),
        captured: anyAmount,
        final: fc.boolean(),
        ...question,
      }),
    },
    { weight: 3, arbitrary: fc.record({ type: as("increment"), of: anyOf, amount: anyAmount }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: as("capture"),
        of: anyOf,
        amount: anyAmount,
        final: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: as("reverse"),
        of: anyOf,
        amount: fc.option(anyAmount, { nil: null }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: as("expire"), of: anyOf }) },
    { weight: 1, arbitrary: fc.record({ type: as("post"), amount: anyAmount }) },
    {
      weight: 4,
      arbitrary: fc.record({ type: as("wait"), hours: fc.integer({ min: 1, max: 64 }) }),
    },
  ),
  { minLength: 10, maxLength: 30, size: "max" },
);

interface Receiver {
  integrator: TestIntegrator;
  cardId: string;
}

/** A purchase of a script, and whether its account approved it. */
interface Standing {
  name: number;
  id: string;
  isApproved: boolean;
}

/**
 * Sends a script to an account. Of what the account declines, nothing more is sent. The first account decides which messages
 * make sense, for both.
 * @param sent what the first account was sent.
 */
export async function perform(
  script: readonly Message[],
  to: Receiver,
  sent?: ReadonlySet<number>,
): Promise<Performed> {
  const performed: Performed = { ids: new Map(), declines: [], questions: 0, sent: new Set() };
  const standing: Standing[] = [];
  for (const [name, message] of script.entries()) {
    await send(message, { ...to, name, performed, standing, sent });
  }
  return performed;
}

interface Place extends Receiver {
  name: number;
  performed: Performed;
  standing: Standing[];
  sent: ReadonlySet<number> | undefined;
}

async function send(message: Message, place: Place): Promise<void> {
  const { integrator, cardId, standing } = place;
  if ("of" in message) {
    const of = standing[message.of % Math.max(1, standing.length)];
    await (of?.isApproved === true ? sendLater(message, of, place) : undefined);
  } else if (message.type === "wait") {
    await advance(integrator, message.hours * 3_600);
  } else if (message.type === "post") {
    await post(integrator, { cardId, amount: message.amount });
  } else {
    await sendQuestion(message, place);
  }
}

async function sendQuestion(
  message: Extract<Message, Question>,
  { integrator, cardId, name, performed, standing }: Place,
): Promise<void> {
  const { amount, mcc, country } = message;
  const merchant = { name: "Shop", mcc, city: null, country };
  const spend = { cardId, amount, merchant };
  const { transaction, asked } = await ask();
  performed.questions += 1;
  performed.ids.set(name, transaction.id);
  const isApproved = note(performed, { name, amount: asked }, transaction);
  standing.push({ name, id: transaction.id, isApproved });

  async function ask(): Promise<{ transaction: Transaction; asked: number }> {
    if (message.type === "purchase") {
      return { ...(await buy(integrator, spend)), asked: amount };
    }
    if (message.type === "authorize") {
      return { ...(await hold(integrator, spend)), asked: amount };
    }
    const { captured, final } = message;
    const described = { cardId, merchant, narrative: null };
    const early = await write(integrator, (ctx) =>
      bookEarlier(ctx, described, [{ type: "capture", amount: captured, final }]),
    );
    const { transaction: late } = await hold(integrator, { ...spend, early });
    return { transaction: late, asked: final ? 0 : Math.max(0, amount - captured) };
  }
}

function note(
  { declines }: Performed,
  { name, amount }: { name: number; amount: number },
  { declineReason }: Transaction,
): boolean {
  if (declineReason !== null) {
    declines.push({ name, reason: declineReason, amount });
  }
  return declineReason === null;
}

async function sendLater(
  message: Later,
  of: Standing,
  { integrator, cardId, name, performed, sent }: Place,
): Promise<void> {
  const row = await getTransaction(reading(integrator), of.id);
  if (!(sent?.has(name) ?? makesSense(message, row))) {
    return;
  }
  performed.sent.add(name);
  if (message.type === "capture") {
    await capture(integrator, of.id, { amount: message.amount, final: message.final });
  } else if (message.type === "reverse") {
    await reverse(integrator, of.id, message.amount);
  } else if (message.type === "expire") {
    await (toOpenHold(row) > 0 ? expireNow(integrator, of.id, cardId) : undefined);
  } else {
    performed.questions += 1;
    const { amount } = message;
    const { transaction } = await increment(integrator, of.id, amount);
    note(performed, { name: of.name, amount }, transaction);
  }
}

type Later = Extract<Message, { of: number }>;

function makesSense({ type }: Later, row: Transaction): boolean {
  return type === "capture"
    ? row.holdAmount !== null
    : toOpenHold(row) > 0 && row.status === "authorized";
}
