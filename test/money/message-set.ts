import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { readBooks } from "./money-books.ts";
import type { MoneyAccount, MoneyWorld } from "./money-world.ts";

/** The card network's messages about one authorization, in any order. Amounts in minor units. */

type Message =
  | { kind: "authorization"; amount: number; partial: boolean }
  | { kind: "increment"; amount: number }
  | { kind: "reversal"; amount: number | null }
  | { kind: "capture"; amount: number; final: boolean; namesCard: boolean }
  | { kind: "refund"; amount: number };

export interface MessageSet {
  card: { status: "active" | "frozen" | "closed"; balance: number };
  float: number;
  messages: readonly Message[];
}

/** How a set ended in one order. */
export interface Outcome {
  /** The answers to its questions, by their place in the set. */
  answers: ReadonlyMap<number, Answer>;
  balance: number;
  held: number;
  float: number;
  deficit: number;
}

/**
 * `amount`: what was approved of it. `own`: an increment that came too late to increase its authorization.
 */
interface Answer {
  approved: boolean;
  amount: number;
  own: boolean;
}

const amount = fc.constantFrom(100, 200, 300, 500, 1_000);
const orAll = fc.option(amount, { nil: null, freq: 3 });

const anyMessage = {
  authorization: fc.record({
    kind: fc.constant("authorization" as const),
    amount: fc.constantFrom(300, 500, 1_000),
    partial: fc.boolean(),
  }),
  increment: fc.record({ kind: fc.constant("increment" as const), amount }),
  reversal: fc.record({ kind: fc.constant("reversal" as const), amount: orAll }),
  capture: fc.record({
    kind: fc.constant("capture" as const),
    amount,
    final: fc.boolean(),
    namesCard: fc.boolean(),
  }),
  refund: fc.record({ kind: fc.constant("refund" as const), amount }),
};

/** An authorization with up to two increments, reversals, and captures, and one refund. */
export const anyMessageSet: fc.Arbitrary<MessageSet> = fc.record({
  card: fc.record({
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constant("active" as const) },
      fc.constantFrom("frozen" as const, "closed" as const),
    ),
    balance: fc.constantFrom(200, 600, 1_000, 5_000),
  }),
  float: fc.constantFrom(0, 300, 10_000),
  messages: fc
    .tuple(
      anyMessage.authorization,
      fc.array(anyMessage.increment, { maxLength: 2 }),
      fc.array(anyMessage.reversal, { maxLength: 2 }),
      fc.array(anyMessage.capture, { maxLength: 2 }),
      fc.array(anyMessage.refund, { maxLength: 1 }),
    )
    .map(([authorization, ...rest]) => [authorization, ...rest.flat()]),
});

/** An order of a set's messages. An increment names its authorization by its id, so it follows it. */
export function toOrder({ messages }: MessageSet, priorities: readonly number[]): number[] {
  const order = messages
    .map((_, at) => at)
    .toSorted((a, b) => (priorities[a] ?? 0) - (priorities[b] ?? 0));
  const late = order.slice(0, order.indexOf(0)).filter((at) => messages[at]?.kind === "increment");
  return order.flatMap((at) => (at === 0 ? [0, ...late] : late.includes(at) ? [] : [at]));
}

/** Opens a new account with the set's card. */
async function openSubject(world: MoneyWorld, set: MessageSet): Promise<Subject> {
  const { status, balance } = set.card;
  const account = await world.open({ float: set.float, balance, singleUse: [false] });
  const [cardId = ""] = account.cardIds;
  const path = {
    active: null,
    frozen: `PATCH /cards/${cardId}/freeze`,
    closed: `POST /cards/${cardId}/close`,
  };
  const line = path[status];
  if (line !== null) {
    await world.call(line, { key: account.apiKey, body: {}, headers: {} });
  }
  return { world, account, cardId, reference: randomUUID(), ids: new Map() };
}

interface Subject {
  world: MoneyWorld;
  account: MoneyAccount;
  cardId: string;
  reference: string;
  /** The authorization's, once it was answered. */
  ids: Map<"authorization", string>;
}

/** Sends all messages at once, and the increments once their authorization is answered. */
export async function playAtOnce(world: MoneyWorld, set: MessageSet): Promise<Outcome> {
  const subject = await openSubject(world, set);
  const answers = new Map<number, Answer>();
  const sendEach = async (wanted: (message: Message) => boolean) => {
    await Promise.all(
      set.messages.map(async (message, at) => {
        const answer = wanted(message) ? await sendMessage(subject, message) : null;
        if (answer) {
          answers.set(at, answer);
        }
      }),
    );
  };
  await sendEach(({ kind }) => kind !== "increment");
  await sendEach(({ kind }) => kind === "increment");
  return { answers, ...(await readMoney(subject)) };
}

/** Sends the messages one after the other. */
export async function play(
  world: MoneyWorld,
  set: MessageSet,
  order: readonly number[],
): Promise<Outcome> {
  const subject = await openSubject(world, set);
  const answers = new Map<number, Answer>();
  for (const at of order) {
    const message = set.messages[at];
    const answer = message && (await sendMessage(subject, message));
    if (answer) {
      answers.set(at, answer);
    }
  }
  return { answers, ...(await readMoney(subject)) };
}

/** @returns the answer to a question; null for what has happened. */
function sendMessage(subject: Subject, message: Message): Promise<Answer | null> {
  // The kind that chooses the sender is the message's own.
  return SENDERS[message.kind](subject, message as never);
}

type Sender<Kind> = (
  subject: Subject,
  message: Extract<Message, { kind: Kind }>,
) => Promise<Answer | null>;

const SENDERS: { [Kind in Message["kind"]]: Sender<Kind> } = {
  authorization: async (subject, { amount: wanted, partial: allow_partial }) => {
    const { cardId: card_id, reference } = subject;
    const body = { reference, card_id, amount: wanted, currency: "USD", allow_partial };
    const reply = await post(subject, "authorizations", body);
    subject.ids.set("authorization", reply.id ?? "");
    return toAnswer(reply, reply.id);
  },
  increment: async (subject, { amount: by }) => {
    const id = subject.ids.get("authorization");
    const reply = await post(subject, `authorizations/${id}/increments`, { amount: by });
    return toAnswer({ ...reply, amount: by }, id);
  },
  reversal: async (subject, { amount: released }) => {
    const part = released === null ? {} : { amount: released };
    await post(subject, "reversals", { ...toNamed(subject), ...part });
    return null;
  },
  capture: async (subject, { amount: captured, final, namesCard }) => {
    const card = namesCard ? { card_id: subject.cardId } : {};
    await post(subject, "captures", { ...toNamed(subject), ...card, amount: captured, final });
    return null;
  },
  refund: async (subject, { amount: refunded }) => {
    const body = { ...toNamed(subject), card_id: subject.cardId, amount: refunded };
    await post(subject, "refunds", body);
    return null;
  },
};

const toNamed = ({ reference }: Subject) => ({ authorization_reference: reference });

interface Reply {
  id?: string;
  decision?: string;
  amount?: number;
  code?: string;
}

async function post({ world }: Subject, path: string, body: object): Promise<Reply> {
  const sent = { reference: randomUUID(), ...body };
  for (;;) {
    const { json, text } = await world.call(`POST /processor/${path}`, {
      key: world.processorKey,
      body: sent,
      headers: {},
    });
    const reply = json as Reply;
    // A capture without a card is kept until its authorization arrives.
    if (reply.code === undefined || reply.code === "fact_unmatched") {
      return reply;
    }
    if (reply.code !== "idempotency_in_progress") {
      throw new Error(`${path} was refused: ${text}`);
    }
  }
}

function toAnswer(reply: Reply, id: string | undefined): Answer {
  return {
    approved: reply.decision === "approved",
    amount: reply.amount ?? 0,
    own: reply.decision === "approved" && reply.id !== id,
  };
}

/** What the account has now. */
async function readMoney({ world, account }: Pick<Subject, "world" | "account">) {
  const { accounts } = await readBooks(world.db, account.id);
  const find = (kind: string) => accounts.find((each) => each.kind === kind);
  return {
    balance: find("card")?.balance ?? NaN,
    held: find("card")?.held ?? NaN,
    float: find("float")?.balance ?? NaN,
    deficit: -(find("deficit")?.balance ?? NaN) || 0,
  };
}

/** What a set takes from card, float, and deficit together, in every order. */
export function toSpent({ messages }: MessageSet): number {
  return sumOf(messages, "capture") - sumOf(messages, "refund");
}

function sumOf(messages: readonly Message[], kind: "capture" | "refund"): number {
  return messages.reduce((sum, each) => (each.kind === kind ? sum + each.amount : sum), 0);
}

/**
 * Whether each account ends with the same in every order. On a frozen or closed card, what was held when a capture arrived
 * decides who pays. A refund that comes before the authorization of several captures is for none of them, and so returns
 * nothing of what covered them.
 */
export function endsTheSame({ card, messages }: MessageSet): boolean {
  const captures = messages.filter(({ kind }) => kind === "capture");
  const isShort = sumOf(messages, "capture") > card.balance;
  const isRefunded = messages.some(({ kind }) => kind === "refund");
  return card.status === "active" && !(captures.length > 1 && isRefunded && isShort);
}

/**
 * What a set holds in the end: what was approved, without what was captured or reversed; nothing after a final capture or a
 * reversal of everything. Undefined if an increment is an authorization of its own, to which later messages apply.
 */
export function toHeld(
  { messages }: MessageSet,
  answers: ReadonlyMap<number, Answer>,
): number | undefined {
  const given = [...answers.entries()];
  if (given.some(([, { own }]) => own)) {
    return undefined;
  }
  const authorization = answers.get(0);
  if (!authorization?.approved) {
    return 0;
  }
  const isEnded = messages.some(
    (each) =>
      (each.kind === "reversal" && each.amount === null) || (each.kind === "capture" && each.final),
  );
  const approved = given.reduce((sum, [at, { approved: isApproved }]) => {
    const message = messages[at];
    return isApproved && message?.kind === "increment" ? sum + message.amount : sum;
  }, authorization.amount);
  const gone = messages.reduce(
    (sum, each) =>
      each.kind === "capture" || each.kind === "reversal" ? sum + (each.amount ?? 0) : sum,
    0,
  );
  return isEnded ? 0 : Math.max(0, approved - gone);
}
