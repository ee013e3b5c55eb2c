import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { newId } from "#lib/base/ids.ts";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { expireNow } from "#test/scene/spending.ts";

/** Each cell of the table of docs/ledger.md, tried. */

const HELD = 100;

let key: string;
let integrator: TestIntegrator;

beforeAll(async () => {
  key = await newProcessorKey();
  integrator = await newIntegrator(1_000_000);
});

interface Subject {
  cardId: string;
  /** Of the authorization. */
  reference: string;
  id: string;
}

interface Reply {
  id?: string;
  code?: string;
  decline_reason?: string | null;
  data?: { id: string; posted_as: string | null } | null;
}

async function send(route: string, body: object): Promise<Reply> {
  const sent = { reference: newId(), ...body };
  return (await call(`POST /processor/${route}`, { key, body: sent })).json as Reply;
}

async function authorize(
  { cardId, reference }: Subject,
  amount = HELD,
  said: object = {},
): Promise<string> {
  const body = { reference, card_id: cardId, amount, currency: "USD", ...said };
  return (await send("authorizations", body)).id ?? "";
}

const capture = (subject: Subject, body: object) =>
  send("captures", {
    authorization_reference: subject.reference,
    card_id: subject.cardId,
    ...body,
  });

const authorizeThen =
  (then: (subject: Subject) => Promise<unknown>) => async (subject: Subject) => {
    const id = await authorize(subject);
    await then({ ...subject, id });
    return id;
  };

/** How the authorization of each row comes to be; undefined for none. */
const STATES: Readonly<Record<string, (subject: Subject) => Promise<string | undefined>>> = {
  none: async () => undefined,
  "not arrived yet": async () => undefined,
  open: (subject) => authorize(subject),
  "open, past its deadline": authorizeThen(({ id }) =>
    testDatabase().db.execute(
      sql`update transactions set hold_expires_at = now() where integrator_id = ${integrator.id} and id = ${id}`,
    ),
  ),
  "approved by the network": (subject) => authorize(subject, HELD, { advice: true }),
  "captured in part": authorizeThen((subject) => capture(subject, { amount: 30 })),
  "captured in full": authorizeThen((subject) => capture(subject, { amount: HELD })),
  "captured before it arrived": async (subject) => {
    await capture(subject, { amount: HELD });
    return authorize(subject);
  },
  declined: (subject) => authorize(subject, 1_000_000),
  reversed: authorizeThen(({ reference }) =>
    send("reversals", { authorization_reference: reference }),
  ),
  expired: authorizeThen(({ id, cardId }) => expireNow(integrator, id, cardId)),
  "a verification": (subject) => authorize(subject, 0),
};

const CARDS = {
  active: null,
  frozen: "PATCH /cards/{id}/freeze",
  closed: "POST /cards/{id}/close",
} as const;

async function readMoney(cardId: string) {
  const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
  const { balance, held, status } = json as { balance: number; held: number; status: string };
  return { balance, held, status };
}

const toPostedAs = ({ data }: Reply) => `\`${String(data?.posted_as)}\``;

async function isRemembered(subject: Subject, sent: () => Promise<unknown>): Promise<boolean> {
  await sent();
  await authorize(subject);
  return (await readMoney(subject.cardId)).held === 0;
}

/** Sends a message and says what it did, in the words of the table. */
const MESSAGES: Readonly<Record<string, (subject: Subject, state: string) => Promise<string>>> = {
  capture: async (subject, state) => {
    const { held } = await readMoney(subject.cardId);
    const amount = Math.max(1, held);
    return toPostedAs(
      state === "none"
        ? await send("captures", { card_id: subject.cardId, amount })
        : await capture(subject, { amount }),
    );
  },
  "capture of more": async (subject) => {
    const { held } = await readMoney(subject.cardId);
    return toPostedAs(await capture(subject, { amount: held + 1 }));
  },
  "final capture of 0": async (subject) => {
    const end = { reference: newId(), amount: 0, final: true };
    if (subject.id === "") {
      const isBooked = await isRemembered(subject, () => capture(subject, end));
      const repeated = await capture(subject, end);
      return isBooked && repeated.data ? "kept, and then booked" : "lost";
    }
    return toReleased(subject, () => capture(subject, end));
  },
  reversal: async (subject) => {
    const reverse = () => send("reversals", { authorization_reference: subject.reference });
    if (subject.id === "") {
      return (await isRemembered(subject, reverse)) ? "remembered" : "lost";
    }
    return toReleased(subject, reverse);
  },
  increment: async ({ id, cardId }) => {
    const { held } = await readMoney(cardId);
    const answer = await send(`authorizations/${id}/increments`, { amount: 1 });
    if (answer.decline_reason) {
      return `\`${answer.decline_reason}\``;
    }
    expect(await readMoney(cardId)).toMatchObject({ held: held + 1 });
    return answer.id === id ? "the hold grows" : "an authorization of its own";
  },
};

async function toReleased({ cardId, id }: Subject, sent: () => Promise<Reply>): Promise<string> {
  const before = await readMoney(cardId);
  const { data } = await sent();
  expect(data?.id).toBe(id);
  const after = await readMoney(cardId);
  const kept = before.status === "closed" ? after.held : before.balance;
  expect(after.balance).toBe(kept);
  return after.held < before.held ? "releases the rest" : "changes nothing";
}

const rows = readFileSync(path.join(ROOT, "docs/ledger.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .flatMap(([, message = "", state = "", ...cells]) =>
    message in MESSAGES && state in STATES ? [{ message, state, cells: cells.slice(0, 3) }] : [],
  );

test("the table has each message, and each state of the authorization", () => {
  const messages = new Set(rows.map(({ message }) => message));
  const states = new Set(rows.map(({ state }) => state));
  expect([...messages]).toEqual(Object.keys(MESSAGES));
  expect([...states].toSorted()).toEqual(Object.keys(STATES).toSorted());
});

test.each(rows)("$message, $state: as the table says", async ({ message, state, cells }) => {
  const found: string[] = [];
  for (const [status, change] of Object.entries(CARDS)) {
    const { id: cardId } = await newCard(integrator, 1_000);
    const subject = { cardId, reference: newId(), id: "" };
    const id = (await STATES[state]?.(subject)) ?? "";
    if (change !== null) {
      const line = change.replace("{id}", cardId);
      await call(line, { key: integrator.apiKey, body: {} });
    }
    expect(await readMoney(cardId)).toMatchObject({ status });
    found.push((await MESSAGES[message]?.({ ...subject, id }, state)) ?? "");
  }
  expect(found).toEqual(cells);
});
