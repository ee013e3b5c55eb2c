import { beforeAll, describe, expect, test } from "vitest";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { aCard, anAccount, aTransaction, TIME, UUID } from "#test/scene/shapes.ts";
import { newId } from "#lib/base/ids.ts";

beforeAll(() => openCardAccount(50_000));

describe("the main flow, in order", () => {
  test("a credit answers the card itself with its new balance", async () => {
    const reply = await ask("PATCH /cards/credit/balance", {
      card_id: cardId,
      amount: 20_000,
      source: "integrator",
      narrative: "March",
    });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(
      aCard(integrator.id, { id: cardId, balance: 20_000, available: 20_000 }),
    );
  });

  test("a freeze without a body answers the frozen card itself", async () => {
    const reply = await ask(`PATCH /cards/${cardId}/freeze`);
    expect(reply.status).toBe(200);
    const freeze = {
      frozen_at: TIME,
      reason: null,
      comment: null,
      actor: { type: "api_key", id: UUID, name: expect.any(String) },
      level: "cardholder",
      until: null,
    };
    expect(reply.json).toEqual(
      aCard(integrator.id, {
        balance: 20_000,
        available: 20_000,
        status: "frozen",
        status_version: 2,
        freeze,
        freezes: [freeze],
      }),
    );
  });

  test("a second freeze without a body answers the card as it is", async () => {
    expect(await ask(`PATCH /cards/${cardId}/freeze`)).toMatchObject({
      status: 200,
      json: { status: "frozen", status_version: 2, freeze: { reason: null } },
    });
  });

  test("a debit of a part and of the whole available balance, on a frozen card too", async () => {
    const part = await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: 1 });
    expect(part).toMatchObject({ status: 200, json: { balance: 19_999 } });
    const all = await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: "all" });
    expect(all).toMatchObject({ status: 200, json: { id: cardId, balance: 0, status: "frozen" } });
    const nothing = await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: "all" });
    expect(nothing).toMatchObject({ status: 422, json: { code: "insufficient_card_balance" } });
  });

  test("an unfreeze answers the active card itself", async () => {
    const reply = await ask(`PATCH /cards/${cardId}/unfreeze`);
    expect(reply.json).toEqual(aCard(integrator.id, { status_version: 3 }));
    expect(await ask(`PATCH /cards/${cardId}/unfreeze`)).toMatchObject({ status: 200 });
  });

  test("the float's top-up answers a message and the float", async () => {
    const reply = await ask("PATCH /card-integrators/top-up-float", { amount: 100 });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      message: "Balance updated successfully",
      data: {
        id: UUID,
        balance: 50_100,
        currency: "USD",
        available: 50_100,
        deficit: 0,
        low_balance_threshold: null,
        updated_at: TIME,
      },
    });
    const float = await ask("GET /card-integrators/float");
    expect(float.json).toMatchObject({ balance: 50_100, available: 50_100, currency: "USD" });
  });

  test("the deprecated top-up does what a credit does", async () => {
    const reply = await ask("PATCH /cards/top-up", { card_id: cardId, amount: 7 });
    expect(reply.json).toEqual(aCard(integrator.id, { id: cardId, balance: 7, available: 7 }));
  });

  test("an update answers the account, wrapped", async () => {
    const changes = {
      business_address: "2 Quay",
      webhook_url: "https://hooks.example.com/in",
      domain: "https://quay.example",
    };
    const reply = await ask("PATCH /card-integrators/update", changes);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ data: anAccount(integrator.id, changes) });
    const off = await ask("PATCH /card-integrators/update", { webhook_url: null });
    expect(off).toMatchObject({
      status: 200,
      json: { data: { webhook_url: null, domain: changes.domain } },
    });
  });
});

describe("reads", () => {
  test("the account is wrapped", async () => {
    const reply = await ask("GET /card-integrators/me");
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ data: { id: integrator.id, business_name: "Northwind" } });
  });

  test("a card is not wrapped, and a list of cards is an array", async () => {
    expect((await ask(`GET /cards/${cardId}`)).json).toEqual(
      aCard(integrator.id, { balance: 7, available: 7 }),
    );
    expect((await ask(`GET /cards/${cardId.toUpperCase()}`)).status).toBe(200);
    const list = await ask("GET /cards");
    expect(list.json).toEqual([aCard(integrator.id, { balance: 7, available: 7 })]);
  });

  test("a page of cards names the next one in a Link header", async () => {
    const many = await newIntegrator();
    const ids = [];
    for (let made = 0; made < 3; made += 1) {
      ids.unshift((await newCard(many)).id);
    }
    const first = await call("GET /cards?limit=2", { key: many.apiKey });
    expect(first.json).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
    const next = /<(?<url>[^>]+)>; rel="next"/u.exec(first.headers.get("link") ?? "")?.groups?.[
      "url"
    ];
    const path = new URL(next ?? "", "http://127.0.0.1").href.replace(/^.*?\/api/u, "");
    const second = await call(`GET ${path}`, { key: many.apiKey });
    expect(second.json).toMatchObject([{ id: ids[2] }]);
    expect(second.headers.get("link")).toBeNull();
    const numbered = await call("GET /cards?limit=2&page=2", { key: many.apiKey });
    expect(numbered.text).toBe(second.text);
  });

  test("a card's transactions come newest first with message and next_page, in both spellings", async () => {
    const reply = await ask(`GET /cards/${cardId}/transactions?Limit=2&Page=1`);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      message: "Ok",
      next_page: 2,
      data: [
        aTransaction(cardId, {
          type: "credit",
          amount: 7,
          card_balance_before: 0,
          card_balance_after: 7,
        }),
        aTransaction(cardId, {
          type: "debit",
          amount: 19_999,
          card_balance_before: 19_999,
          card_balance_after: 0,
        }),
      ],
    });
    const last = await ask(`GET /cards/${cardId}/transactions?limit=2&page=2`);
    expect(last.json).toMatchObject({
      next_page: null,
      data: [{ amount: 1 }, { amount: 20_000, narrative: "March" }],
    });
  });

  test("one transaction is wrapped with its message", async () => {
    const list = await ask("GET /transactions?type=credit&limit=1");
    const [listed] = (list.json as { data: { id: string }[] }).data;
    const reply = await ask(`GET /cards/transaction/${listed?.id}`);
    expect(reply.json).toEqual({ data: listed, message: "Ok" });
    expect(list.json).toEqual({
      data: [
        aTransaction(cardId, {
          type: "credit",
          amount: 7,
          card_balance_before: 0,
          card_balance_after: 7,
        }),
      ],
      next_cursor: UUID,
    });
  });

  test("a filter with another integrator's id returns an empty list", async () => {
    const reply = await ask(`GET /transactions?card_id=${newId()}`);
    expect(reply.json).toEqual({ data: [], next_cursor: null });
    expect((await ask(`GET /cards?user_id=${newId()}`)).json).toEqual([]);
  });

  test("the float's statement and the card's timeline page by cursor", async () => {
    const statement = await ask("GET /card-integrators/float/entries?limit=1");
    expect(statement.json).toMatchObject({
      data: [{ amount: -7, card_id: cardId }],
      next_cursor: expect.any(String),
    });
    const timeline = await ask(`GET /cards/${cardId}/activity?limit=1`);
    expect(timeline.json).toMatchObject({
      data: [{ type: "transaction", transaction: { amount: 7 } }],
      next_cursor: expect.any(String),
    });
  });
});
