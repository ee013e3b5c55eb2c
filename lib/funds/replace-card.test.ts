import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import {
  freezeCard,
  newCard,
  newIntegrator,
  newScopedKey,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, capture, eventsOf, hold, holdId, reverse } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import { updateCard } from "#lib/cards/card-update.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { replaceCard } from "#lib/funds/replace-card.ts";
import type { Replacing } from "#lib/funds/replace-card.ts";
import { listAudit } from "#lib/record/audit.ts";

/** Replaces a card in a transaction of its own. */
function replace(
  integrator: TestIntegrator,
  id: string,
  { moveBalance = false, mayLift = FREEZE_LEVELS }: Partial<Replacing> = {},
) {
  return write(integrator, (ctx) =>
    replaceCard(ctx, id, { moveBalance, comment: "Stolen", mayLift }),
  );
}

function close(integrator: TestIntegrator, id: string) {
  return write(integrator, (ctx) => closeCard(ctx, id, { comment: null }));
}

const cardOf = (integrator: TestIntegrator, id: string) => getCard(reading(integrator), id);
const floatOf = (integrator: TestIntegrator) => getFloat(reading(integrator));
const namesOf = async (integrator: TestIntegrator, id: string) =>
  (await eventsOf(integrator, id)).map(({ event }) => event);

const DAY_MS = 24 * 60 * 60 * 1_000;

test("the new card is like the old one, and the two name each other", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 300);
  const metadata = { order_id: "4711" };
  const old = await write(integrator, (ctx) => updateCard(ctx, id, { metadata }));
  const card = await replace(integrator, id);
  const { cardholderId, cardName, designType, singleUse, validityDays } = old;
  expect(card).toMatchObject({
    cardholderId,
    cardName,
    designType,
    singleUse,
    validityDays,
    metadata,
    status: "active",
    statusVersion: 1,
    balance: 0,
    replaces: id,
    replacedBy: null,
  });
  expect(card.id).not.toBe(id);
  expect((card.expiresAt.getTime() - card.createdAt.getTime()) / DAY_MS).toBe(validityDays);
  expect(await cardOf(integrator, id)).toMatchObject({
    status: "closed",
    balance: 0,
    replaces: null,
    replacedBy: card.id,
  });
  expect(await floatOf(integrator)).toMatchObject({ balance: 1_000 });
});

test("the new card may buy what the old one might, and its limits start anew", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 300);
  const spending_controls = { spending_limits: [{ amount: 100, interval: "monthly" }] };
  const key = integrator.apiKey;
  const body = { spending_controls };
  expect((await call(`PATCH /cards/${id}/spending-controls`, { key, body })).status).toBe(200);
  await buy(integrator, { cardId: id, amount: 90 });
  const card = await replace(integrator, id, { moveBalance: true });
  const decide = async (amount: number) =>
    (await buy(integrator, { cardId: card.id, amount })).transaction.declineReason;
  expect(await decide(101)).toBe("limit_exceeded");
  expect(await decide(100)).toBe(null);
  expect(await decide(1)).toBe("limit_exceeded");
});

test("events and audit log say which card replaces which", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 300);
  const card = await replace(integrator, id, { moveBalance: true });
  const [created, credited] = await eventsOf(integrator, card.id);
  expect(created).toMatchObject({ event: "card.created", data: { id: card.id, replaces: id } });
  expect(credited).toMatchObject({ event: "card.credited", data: { amount: 300 } });
  const closed = (await eventsOf(integrator, id)).at(-1);
  expect(closed).toMatchObject({ event: "card.closed", data: { replaced_by: card.id } });
  const { rows } = await listAudit(reading(integrator), { targetId: id, limit: 20 });
  expect(rows.find(({ action }) => action === "card.replaced")).toMatchObject({
    after: { replaced_by: card.id },
  });
});

test("with the balance, what is available moves, and what is held stays until it is decided", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 300);
  const held = await holdId(integrator, { cardId: id, amount: 120 });
  const released = await holdId(integrator, { cardId: id, amount: 30 });
  const card = await replace(integrator, id, { moveBalance: true });
  expect(card).toMatchObject({ balance: 150, held: 0 });
  expect(await cardOf(integrator, id)).toMatchObject({ balance: 150, held: 150 });
  expect(await floatOf(integrator)).toMatchObject({ balance: 700 });
  await capture(integrator, held);
  await reverse(integrator, released);
  expect(await cardOf(integrator, id)).toMatchObject({ balance: 0, held: 0, status: "closed" });
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 150 });
  expect(await floatOf(integrator)).toMatchObject({ balance: 730 });
});

test("a card is replaced once; the one that replaces it can be replaced in turn", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator);
  const card = await replace(integrator, id);
  await expect(replace(integrator, id)).rejects.toMatchObject({
    code: "card_replaced",
    message: expect.stringContaining(card.id),
  });
  expect(await replace(integrator, card.id)).toMatchObject({ replaces: card.id });
});

test("a card that is already closed is replaced, without a further event of its own", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 300);
  await close(integrator, id);
  const before = await namesOf(integrator, id);
  const card = await replace(integrator, id, { moveBalance: true });
  expect(card).toMatchObject({ status: "active", balance: 0, replaces: id });
  expect(await cardOf(integrator, id)).toMatchObject({ replacedBy: card.id, status: "closed" });
  expect(await namesOf(integrator, id)).toEqual(before);
});

test("a frozen card is replaced; a compliance freeze needs who may lift it, even after the card was closed", async () => {
  const integrator = await newIntegrator(1_000);
  const mayLift = ["cardholder", "staff"] as const;
  const freeze = (id: string, level: "staff" | "compliance") =>
    write(integrator, (ctx) => freezeCard(ctx, id, { reason: "stolen", level }));
  const [staff, standing, closed, lifted] = (await Promise.all(
    Array.from({ length: 4 }, async () => (await newCard(integrator)).id),
  )) as [string, string, string, string];
  await freeze(staff, "staff");
  expect(await replace(integrator, staff, { mayLift })).toMatchObject({
    status: "active",
    freeze: null,
  });
  for (const id of [standing, closed, lifted]) {
    await freeze(id, "compliance");
  }
  await close(integrator, closed);
  await write(integrator, (ctx) => unfreezeCard(ctx, lifted, { comment: null }));
  await close(integrator, lifted);
  for (const id of [standing, closed]) {
    await expect(replace(integrator, id, { mayLift })).rejects.toMatchObject({
      code: "freeze_not_liftable",
    });
    expect(await cardOf(integrator, id)).toMatchObject({ replacedBy: null });
  }
  expect(await replace(integrator, lifted, { mayLift })).toMatchObject({ replaces: lifted });
  expect(await replace(integrator, closed)).toMatchObject({ replaces: closed });
  expect(await replace(integrator, standing)).toMatchObject({ replaces: standing });
});

test("to move the balance takes the scope that credits cards; a repeat gets the first answer", async () => {
  const integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 300);
  const { key } = await newScopedKey(integrator.id, ["cards:write"]);
  const send = (body: object, headers = {}) =>
    call(`POST /cards/${id}/replace`, { key, headers, body });
  expect(await send({ move_balance: true })).toMatchObject({
    status: 403,
    json: { code: "scope_missing" },
  });
  const headers = { "idempotency-key": newId() };
  const first = await send({}, headers);
  expect(first).toMatchObject({ status: 201, json: { data: { replaces: id, balance: 0 } } });
  expect((await send({}, headers)).text).toBe(first.text);
  expect(await send({})).toMatchObject({ status: 409, json: { code: "card_replaced" } });
});

test("a single-use card is replaced until it has a purchase; one that was reversed is none", async () => {
  const integrator = await newIntegrator(1_000);
  const unused = await newCard(integrator, 100, { singleUse: true });
  expect(await replace(integrator, unused.id)).toMatchObject({ singleUse: true });
  const reversed = await newCard(integrator, 100, { singleUse: true });
  await reverse(integrator, await holdId(integrator, { cardId: reversed.id, amount: 5 }));
  expect(await replace(integrator, reversed.id)).toMatchObject({ replaces: reversed.id });
  const held = await newCard(integrator, 100, { singleUse: true });
  await hold(integrator, { cardId: held.id, amount: 5 });
  const bought = await newCard(integrator, 100, { singleUse: true });
  await buy(integrator, { cardId: bought.id, amount: 5 });
  for (const { id } of [held, bought]) {
    await expect(replace(integrator, id)).rejects.toMatchObject({ code: "single_use_spent" });
  }
});

test("two replacements at once, beside a close and purchases: one new card, and no money is lost", async () => {
  const integrator = await newIntegrator(100_000);
  for (let round = 0; round < 6; round += 1) {
    const { id } = await newCard(integrator, 1_000);
    const before = await floatOf(integrator);
    const [first, second, closed, ...bought] = await Promise.allSettled([
      replace(integrator, id, { moveBalance: true }),
      replace(integrator, id, { moveBalance: true }),
      round % 2 ? close(integrator, id) : undefined,
      ...Array.from({ length: 4 }, () => buy(integrator, { cardId: id, amount: 10 })),
    ]);
    const made = [first, second].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const refused = [first, second].flatMap((one) =>
      one.status === "rejected" ? one.reason.code : [],
    );
    expect({ made: made.length, refused }).toEqual({ made: 1, refused: ["card_replaced"] });
    const [card] = made;
    const old = await cardOf(integrator, id);
    expect(old).toMatchObject({ status: "closed", balance: 0, replacedBy: card?.id });
    const spent = bought.filter(
      (one) => one.status === "fulfilled" && one.value.transaction.status === "settled",
    ).length;
    const float = await floatOf(integrator);
    expect((card?.balance ?? 0) + float.balance - before.balance).toBe(1_000 - 10 * spent);
    expect(closed.status === "rejected" ? closed.reason.code : null).toBe(
      closed.status === "rejected" ? "card_closed" : null,
    );
  }
});
