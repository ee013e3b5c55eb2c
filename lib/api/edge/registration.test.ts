import { beforeAll, describe, expect, test } from "vitest";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import { CARDHOLDER } from "#test/scene/people.ts";
import { aCard, UUID } from "#test/scene/shapes.ts";

beforeAll(() => openCardAccount(50_000));

/** Metadata with this many keys, each as long as allowed. */
const fill = (keys: number) =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, key) => [`${key}`.padEnd(40, "键"), "值".repeat(255)]),
  );

describe("cards and users", () => {
  const person = {
    ...CARDHOLDER,
    first_name: "Kofi",
    last_name: "Mensah",
    email: "kofi@example.com",
  };

  test("a user is registered, wrapped, verified in sandbox, and their identity number is not stored", async () => {
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
    expect(reply.text).not.toContain(person.id_number);
  });

  test("a user's known email is a 400 with the message already_exists", async () => {
    const again = await ask(`POST /card-integrators/${integrator.id}/register-user`, {
      ...person,
      email: "KOFI@example.com",
    });
    expect(again).toMatchObject({ status: 400, json: { message: "already_exists" } });
  });

  test("a card is created and wrapped, and users are listed by page with totals", async () => {
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
      data: aCard(integrator.id, {
        card_name: "Kofi Mensah",
        single_use: true,
        metadata: { team: "ops" },
      }),
    });
  });

  test("a card with the largest allowed metadata can be created, frozen with a comment, and reported in events", async () => {
    const users = await ask("GET /card-integrators/card-users?limit=1&page=1");
    const [user] = (users.json as { data: { id: string }[] }).data;
    const create = (metadata: Record<string, string>) =>
      ask("POST /cards/create-virtual-card", {
        user_id: user?.id,
        currency: "USD",
        design_type: "midnight",
        single_use: false,
        validity: 30,
        metadata,
      });
    const refused = await create(fill(20));
    expect(refused).toMatchObject({
      status: 422,
      json: { errors: { metadata: [expect.any(String)] } },
    });
    for (const key of ["", " ", "k".repeat(41)]) {
      const unnamed = await create({ [key]: "value" });
      const { errors } = unnamed.json as { errors: Record<string, string[]> };
      expect(unnamed.status).toBe(422);
      expect(Object.entries(errors)).toEqual([
        [
          expect.stringMatching(/^metadata/u),
          ["Each key must be 1 to 40 characters long, not all of them spaces."],
        ],
      ]);
    }
    const spaced = await create({ team: "ops", " team": "night" });
    expect(spaced).toMatchObject({
      status: 201,
      json: { data: { metadata: { team: "ops", " team": "night" } } },
    });
    const created = await create(fill(11));
    expect(created.status).toBe(201);
    const { data: card } = created.json as { data: { id: string } };
    const frozen = await ask(`PATCH /cards/${card.id}/freeze`, {
      reason: "other",
      comment: "\u0001".repeat(255),
    });
    expect(frozen.status).toBe(200);
  });

  test("closing a card returns the card, and its balance returns to the float", async () => {
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

  test("an integrator registers without a credential and can use the key it receives", async () => {
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
