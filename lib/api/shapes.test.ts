import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import type { ApiReply } from "#db/testing/api-client.ts";
import { newCard, newIntegrator } from "#db/testing/fixtures.ts";
import type { TestIntegrator } from "#db/testing/fixtures.ts";
import { newId } from "#lib/ids.ts";

/** What a client written only from the published description reads, member by member. */

const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);

let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  integrator = await newIntegrator(50_000);
  cardId = (await newCard(integrator)).id;
});

function ask(line: string, body?: unknown): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}

function aCard(members: Record<string, unknown> = {}) {
  return {
    id: UUID,
    business_id: integrator.id,
    user_id: UUID,
    card_name: "Lin Osei",
    card_number: expect.stringMatching(/^222300\*{6}\d{4}$/u),
    last4: expect.stringMatching(/^\d{4}$/u),
    card_type: "virtual",
    currency: "USD",
    cvv2: null,
    design_type: "midnight",
    expiry: TIME,
    valid: expect.stringMatching(/^(?:0[1-9]|1[0-2])\/\d\d$/u),
    single_use: false,
    provider: "sandbox",
    status: "active",
    freeze: null,
    balance: 0,
    held: 0,
    available: 0,
    metadata: {},
    created_at: TIME,
    updated_at: TIME,
    ...members,
  };
}

function aTransaction(members: Record<string, unknown>) {
  return {
    id: UUID,
    card_id: cardId,
    status: "settled",
    currency: "USD",
    conversion_rate: 1,
    narrative: null,
    merchant: null,
    decline_reason: null,
    decline_explanation: null,
    authorization_id: null,
    actor: { type: "api_key", id: UUID, name: expect.any(String) },
    created_at: TIME,
    settled_at: TIME,
    ...members,
  };
}

function anAccount(members: Record<string, unknown> = {}) {
  return {
    id: integrator.id,
    business_name: "Northwind",
    business_address: "1 Harbour Street",
    domain: "northwind.example",
    webhook_url: null,
    email: expect.stringContaining("@example.com"),
    first_name: "Ada",
    last_name: "Winter",
    contact_number: "+15550100",
    country: "US",
    registration_number: "12345",
    float_currencies: ["USD"],
    environment: "sandbox",
    api_version: "0.5.0",
    low_balance_threshold: null,
    idempotency_required: false,
    created_at: TIME,
    updated_at: TIME,
    ...members,
  };
}

describe("the main job, in order", () => {
  test("a credit answers the card itself with its new balance", async () => {
    const reply = await ask("PATCH /cards/credit/balance", {
      card_id: cardId,
      amount: 20_000,
      source: "integrator",
      narrative: "March",
    });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(aCard({ id: cardId, balance: 20_000, available: 20_000 }));
  });

  test("a freeze without a body answers the frozen card itself", async () => {
    const reply = await ask(`PATCH /cards/${cardId}/freeze`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(
      aCard({
        balance: 20_000,
        available: 20_000,
        status: "frozen",
        freeze: {
          frozen_at: TIME,
          reason: null,
          comment: null,
          actor: { type: "api_key", id: UUID, name: expect.any(String) },
        },
      }),
    );
  });

  test("a second freeze keeps the first reason and adds no history", async () => {
    const reply = await ask(`PATCH /cards/${cardId}/freeze`, { reason: "lost" });
    expect(reply).toMatchObject({
      status: 200,
      json: { status: "frozen", freeze: { reason: null } },
    });
  });

  test("a debit of part, and of all that is available, also of a frozen card", async () => {
    const part = await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: 1 });
    expect(part).toMatchObject({ status: 200, json: { balance: 19_999 } });
    const all = await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: "all" });
    expect(all).toMatchObject({ status: 200, json: { id: cardId, balance: 0, status: "frozen" } });
    const nothing = await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: "all" });
    expect(nothing).toMatchObject({ status: 422, json: { code: "insufficient_card_balance" } });
  });

  test("an unfreeze answers the active card itself", async () => {
    const reply = await ask(`PATCH /cards/${cardId}/unfreeze`);
    expect(reply.json).toEqual(aCard());
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
        low_balance_threshold: null,
        updated_at: TIME,
      },
    });
    const float = await ask("GET /card-integrators/float");
    expect(float.json).toMatchObject({ balance: 50_100, available: 50_100, currency: "USD" });
  });

  test("the deprecated top-up does what a credit does", async () => {
    const reply = await ask("PATCH /cards/top-up", { card_id: cardId, amount: 7 });
    expect(reply.json).toEqual(aCard({ id: cardId, balance: 7, available: 7 }));
  });

  test("an update answers the account, wrapped", async () => {
    const changes = {
      business_address: "2 Quay",
      webhook_url: "https://hooks.example.com/in",
      domain: "https://quay.example",
    };
    const reply = await ask("PATCH /card-integrators/update", changes);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ data: anAccount(changes) });
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
    expect((await ask(`GET /cards/${cardId}`)).json).toEqual(aCard({ balance: 7, available: 7 }));
    expect((await ask(`GET /cards/${cardId.toUpperCase()}`)).status).toBe(200);
    const list = await ask("GET /cards");
    expect(list.json).toEqual([aCard({ balance: 7, available: 7 })]);
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
        aTransaction({ type: "credit", amount: 7, card_balance_before: 0, card_balance_after: 7 }),
        aTransaction({
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
        aTransaction({ type: "credit", amount: 7, card_balance_before: 0, card_balance_after: 7 }),
      ],
      next_cursor: UUID,
    });
  });

  test("a filter with a foreign id is an empty list", async () => {
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

describe("cards and users", () => {
  const person = {
    address: {
      city: "Accra",
      country: "GH",
      line1: "2 Ring Road",
      line2: "",
      state: "AA",
      zip_code: "00233",
    },
    email: "kofi@example.com",
    first_name: "Kofi",
    last_name: "Mensah",
    id_number: "A1234567",
    id_type: "passport",
    phone_number: "+233200000000",
  };

  test("a user is registered, wrapped, verified in sandbox, and its identity number not kept", async () => {
    const reply = await ask(`POST /card-integrators/${integrator.id}/register-user`, person);
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({
      data: {
        archived: false,
        card_integrator_id: integrator.id,
        id: UUID,
        verified: true,
        email: "kofi@example.com",
        address: { zip_code: "00233" },
      },
    });
    expect(reply.text).not.toContain("A1234567");
  });

  test("a user's known email is a 400 with the message already_exists", async () => {
    const again = await ask(`POST /card-integrators/${integrator.id}/register-user`, {
      ...person,
      email: "KOFI@example.com",
    });
    expect(again).toMatchObject({ status: 400, json: { message: "already_exists" } });
  });

  test("a card is created, wrapped, and users are listed by page with totals", async () => {
    const users = await ask("GET /card-integrators/card-users?limit=1&page=1");
    expect(users.json).toMatchObject({ data: [{ id: UUID }], page: 1, total: 2, total_pages: 2 });
    const [user] = (users.json as { data: { id: string }[] }).data;
    const reply = await ask("POST /cards/create-virtual-card", {
      user_id: user?.id,
      currency: "USD",
      design_type: "midnight",
      single_use: true,
      source: "integrator",
      card_integrator_id: integrator.id,
      validity: 30,
      metadata: { team: "ops" },
    });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      data: aCard({ card_name: "Kofi Mensah", single_use: true, metadata: { team: "ops" } }),
    });
  });

  test("a closed card answers itself, and its money is back on the float", async () => {
    const reply = await ask(`POST /cards/${cardId}/close`, { comment: "Done" });
    expect(reply).toMatchObject({ status: 200, json: { status: "closed", balance: 0 } });
    const again = await ask(`PATCH /cards/${cardId}/freeze`);
    expect(again).toMatchObject({ status: 409, json: { code: "card_closed" } });
  });
});

describe("registration", () => {
  const registration = {
    business_name: "Southwind",
    business_address: "3 Pier",
    contact_number: "+15550102",
    country: "US",
    domain: "southwind.example",
    email: "owner@southwind.example",
    first_name: "Bo",
    last_name: "Summer",
    password: "a long enough password",
    registration_number: "54321",
    webhook_url: "https://southwind.example/hook",
    float_currencies: ["USD"],
    chain: "anything",
  };

  test("an integrator registers without a credential and works with the key it gets", async () => {
    const reply = await call("POST /card-integrators/register-integrator", {
      body: registration,
      headers: { Authorization: "Bearer " },
    });
    expect(reply.status).toBe(201);
    const { data } = reply.json as { data: { id: string; api_key: string } };
    expect(data).toMatchObject({ business_name: "Southwind", float_currencies: ["USD"] });
    expect(reply.text).not.toContain("a long enough password");
    const me = await call("GET /card-integrators/me", { key: data.api_key });
    expect(me).toMatchObject({ status: 200, json: { data: { id: data.id } } });
    expect(me.text).not.toContain("api_key");
  });

  test("a known email is a 400 with one sentence in errors.message", async () => {
    const reply = await call("POST /card-integrators/register-integrator", { body: registration });
    expect(reply).toMatchObject({
      status: 400,
      json: { errors: { message: "Email or phone number already exists" } },
    });
  });
});
