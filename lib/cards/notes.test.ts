import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { parseCsv } from "#test/scene/csv.ts";
import { newCard, newIntegrator, newScopedKey, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readPages } from "#test/scene/pages.ts";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { buy } from "#test/scene/spending.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { listTransactionNotes } from "#lib/transactions/card-notes.ts";
import { events } from "#db/schema/events.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { eq } from "drizzle-orm";

/** As PostgreSQL, a browser, and a log might each change it. */
const COMMENT = "  Called twice.\r\n\nשלום 👩‍👩‍👧 <b>&amp; \u202e'\"  ";

interface Entry {
  id: string;
  type: string;
  created_at: string;
  actor: { type: string; id: string; name: string };
  request_id: string;
  note: { card_id: string; transaction_id: string | null; comment: string | null } | null;
}

let mine: TestIntegrator;
let operator: TestStaff;

beforeAll(async () => {
  mine = await newIntegrator(100_000);
  operator = await newStaff(mine.id, "operator");
});

/** Writes a note with the integrator's key, or as somebody else. */
function note(cardId: string, body: unknown, by: object = { key: mine.apiKey }) {
  return call(`POST /cards/${cardId}/notes`, { ...by, body });
}

const entryIn = ({ json }: ApiReply) => (json as { data: Entry }).data;

async function readActivity(cardId: string, query = ""): Promise<Entry[]> {
  const path = `GET /cards/${cardId}/activity?limit=100&${query}`;
  const { json } = await call(path, { key: mine.apiKey });
  return (json as { data: Entry[] }).data;
}

async function readComments(cardId: string, query = ""): Promise<(string | null)[]> {
  const entries = await readActivity(cardId, query);
  return entries.flatMap((entry) => (entry.note ? [entry.note.comment] : []));
}

async function newPurchase({ id: cardId }: Card, integrator = mine) {
  return (await buy(integrator, { cardId, amount: 10 })).transaction;
}

describe("a note", () => {
  test("on a card is the entry of its timeline and of the audit log, byte for byte, with its author", async () => {
    const { id } = await newCard(mine);
    const reply = await note(id, { comment: COMMENT }, { headers: operator.headers });
    expect(reply.status).toBe(201);
    const [newest] = await readActivity(id);
    expect(entryIn(reply)).toEqual(newest);
    expect(newest).toMatchObject({
      type: "note",
      actor: { type: "staff", id: operator.id, name: "Kim operator" },
      note: { card_id: id, transaction_id: null, comment: COMMENT },
    });
    const [entry] = await readAudit(mine, { targetId: id, action: "card.noted" });
    expect(entry).toMatchObject({
      id: newest?.id,
      requestId: newest?.request_id,
      actor: { id: operator.id },
      before: null,
      after: { comment: COMMENT },
    });
    expect(entry?.after).toEqual({ comment: COMMENT });
  });

  test("on a transaction names it, and is found with it: oldest first, and the newest if there are too many", async () => {
    const card = await newCard(mine, 100);
    const [about, other] = [await newPurchase(card), await newPurchase(card)];
    for (const [comment, transaction_id] of [
      ["first", about.id],
      ["of the other", other.id],
      ["of the card", null],
      ["second", about.id.toUpperCase()],
      ["third", about.id],
    ]) {
      expect((await note(card.id, { comment, transaction_id })).status).toBe(201);
    }
    const [newest] = await readActivity(card.id);
    expect(newest?.note).toEqual({
      card_id: card.id,
      transaction_id: about.id,
      comment: "third",
    });
    const [entry] = (await readAudit(mine, { targetId: card.id, action: "card.noted" })).slice(-1);
    expect(entry?.after).toEqual({ comment: "third", transaction_id: about.id });
    const read = async (limit: number) =>
      (await listTransactionNotes(reading(mine), about, limit)).map(({ comment }) => comment);
    expect(await read(9)).toEqual(["first", "second", "third"]);
    expect(await read(2)).toEqual(["second", "third"]);
    const stranger = await newIntegrator();
    expect(await listTransactionNotes(reading(stranger), about, 9)).toEqual([]);
  });

  test("changes nothing of the card and sends no event, whether it is active, frozen, or closed", async () => {
    const { id } = await newCard(mine);
    for (const [line] of [[], [`PATCH /cards/${id}/freeze`], [`POST /cards/${id}/close`]]) {
      await (line && call(line, { key: mine.apiKey }));
      const read = async () => ({
        card: (await call(`GET /cards/${id}`, { key: mine.apiKey })).json,
        events: await readRecorded(eq(events.subjectId, id)),
      });
      const before = await read();
      expect((await note(id, { comment: "Still here" })).status).toBe(201);
      expect(await read()).toEqual(before);
    }
    expect(await readComments(id)).toHaveLength(3);
  });

  test("is written once, however often its key is sent, and two at the same time are both written", async () => {
    const { id } = await newCard(mine);
    const headers = { "Idempotency-Key": newId() };
    const send = () => note(id, { comment: "Once" }, { key: mine.apiKey, headers });
    const first = await send();
    expect((await send()).text).toBe(first.text);
    expect(await readComments(id)).toEqual(["Once"]);
    const both = await Promise.all(["a", "b"].map((comment) => note(id, { comment })));
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(await readComments(id))).toEqual(new Set(["Once", "a", "b"]));
  });

  test("is listed in its place, page by page, and within from and to", async () => {
    const card = await newCard(mine, 100);
    const written: Entry[] = [];
    for (const comment of ["a", "b", "c"]) {
      await newPurchase(card);
      written.push(entryIn(await note(card.id, { comment })));
    }
    const paged = await readPages<Entry>(
      (query) => call(`GET /cards/${card.id}/activity?${query}`, { key: mine.apiKey }),
      2,
    );
    expect(paged).toEqual(await readActivity(card.id));
    const types = paged.map(({ type }) => type);
    expect(types.slice(0, 6)).toEqual([1, 2, 3].flatMap(() => ["note", "transaction"]));
    const [, at] = written.map(({ created_at }) => created_at);
    expect(await readComments(card.id, `from=${at}`)).toEqual(["c", "b"]);
    expect(await readComments(card.id, `to=${at}`)).toEqual(["a"]);
  });

  test("is exported with the audit log", async () => {
    const { id } = await newCard(mine);
    await note(id, { comment: "For the file" });
    const { text } = await call(`GET /exports/audit-log?action=card.noted&target_id=${id}`, {
      headers: operator.headers,
    });
    const rows = parseCsv(text.replace("\uFEFF", ""));
    expect(rows).toMatchObject([
      { action: "card.noted", target_id: id, after: '{"comment":"For the file"}' },
    ]);
  });
});

describe("a note is refused", () => {
  test("on a card, or about a transaction, that is unknown, another's, or of another card", async () => {
    const [card, another] = [await newCard(mine, 100), await newCard(mine, 100)];
    const theirs = await newIntegrator(1_000);
    const their = await newCard(theirs, 100);
    const refusals = [
      await note(newId(), { comment: "x" }),
      await note(their.id, { comment: "x" }),
    ];
    for (const { id } of [
      { id: newId() },
      await newPurchase(another),
      await newPurchase(their, theirs),
    ]) {
      refusals.push(await note(card.id, { comment: "x", transaction_id: id }));
    }
    expect(refusals.map(({ json }) => (json as { code: string }).code)).toEqual([
      "card_not_found",
      "card_not_found",
      "transaction_not_found",
      "transaction_not_found",
      "transaction_not_found",
    ]);
    expect(await readComments(card.id)).toEqual([]);
    expect(await readAudit(theirs, { targetId: their.id, action: "card.noted" })).toEqual([]);
  });

  test("from a viewer, and from a key that may only read", async () => {
    const { id } = await newCard(mine);
    const { headers } = await newStaff(mine.id, "viewer");
    const { key } = await newScopedKey(mine.id, ["cards:read"]);
    for (const by of [{ headers }, { key }]) {
      expect(await note(id, { comment: "x" }, by)).toMatchObject({
        status: 403,
        json: { code: "scope_missing" },
      });
    }
    expect(await readComments(id)).toEqual([]);
  });

  test.each([
    ["without a comment", {}, { comment: ["This field is required."] }],
    ["with an empty one", { comment: "" }, { comment: ["This field must not be empty."] }],
    ["with a blank one", { comment: " \n\t" }, { comment: ["This field must not be empty."] }],
    [
      "with one that is too long",
      { comment: "👋".repeat(501) },
      { comment: ["This field must be at most 500 characters long."] },
    ],
    [
      "about what is no id",
      { comment: "x", transaction_id: "7" },
      { transaction_id: ["This field must be a UUID."] },
    ],
  ])("%s, and the answer names the member and what is allowed", async (_, body, errors) => {
    const { id } = await newCard(mine);
    expect(await note(id, body)).toMatchObject({ status: 422, json: { errors } });
  });

  test("above its limit only: 500 characters are written, however many bytes they have", async () => {
    const { id } = await newCard(mine);
    const comment = "👋".repeat(500);
    expect((await note(id, { comment })).status).toBe(201);
    expect(await readComments(id)).toEqual([comment]);
  });
});

test("once the cardholder is erased, the comment is gone, the note stays, and none can be added", async () => {
  const card = await newCard(mine, 100);
  const { id: transactionId } = await newPurchase(card);
  await note(card.id, { comment: "Kofi moved", transaction_id: transactionId });
  await call(`POST /cards/${card.id}/close`, { key: mine.apiKey });
  const erase = `POST /card-integrators/card-users/${card.cardholderId}/erase`;
  expect((await call(erase, { key: mine.apiKey })).status).toBe(202);
  await withTimeLimits({ erasureSettles: 0 }, () => completeErasures(testDatabase().db));
  expect(await note(card.id, { comment: "Kofi again" })).toMatchObject({
    status: 409,
    json: { code: "user_erased" },
  });
  const entries = await readActivity(card.id);
  expect(entries.filter(({ type }) => type === "note")).toMatchObject([
    { note: { card_id: card.id, transaction_id: transactionId, comment: null } },
  ]);
  const audited = await readAudit(mine, { targetId: card.id, action: "card.noted" });
  expect(audited.map(({ after }) => after)).toEqual([
    { comment: null, transaction_id: transactionId },
  ]);
});
