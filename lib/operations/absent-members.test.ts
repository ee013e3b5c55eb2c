import { beforeAll, expect, test } from "vitest";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { reading } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";
import { listAudit } from "#lib/record/audit.ts";

beforeAll(() => openCardAccount(50_000));

const person = {
  address: { city: "Accra", country: "GH", line1: "2 Ring Road" },
  first_name: "Kofi",
  last_name: "Mensah",
  id_number: "A1234567",
  id_type: "passport",
  phone_number: "+233200000000",
};

/** Addresses that the published client could send, and how each is stored. */
const addresses: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    "null",
    { line2: null, state: null, zip_code: null },
    { line2: null, state: null, zip_code: null },
  ],
  ["empty", { line2: "", state: "", zip_code: "" }, { line2: null, state: null, zip_code: null }],
  [
    "blank",
    { line2: " ", state: " ", zip_code: "\t" },
    { line2: null, state: null, zip_code: null },
  ],
  ["absent", {}, { line2: null, state: null, zip_code: null }],
  [
    "given",
    { line2: "Flat 2", state: " AA ", zip_code: "00233" },
    { line2: "Flat 2", state: "AA", zip_code: "00233" },
  ],
];
test.each(addresses)("line2, state and zip_code may be %s", async (how, members, expected) => {
  const reply = await ask(`POST /card-integrators/${integrator.id}/register-user`, {
    ...person,
    email: `${newId()}@example.com`,
    address: { ...person.address, ...members },
    user_photo: how === "absent" ? null : "",
  });
  expect(reply.status).toBe(201);
  expect(reply.json).toMatchObject({
    data: { address: { ...person.address, ...expected }, user_photo: null },
  });
  const { data } = reply.json as { data: { id: string; address: object } };
  const users = await ask("GET /card-integrators/card-users?limit=&page=");
  expect((users.json as { data: { id: string }[] }).data).toContainEqual(data);
});

test.each([{ state: 1 }, { zip_code: "x".repeat(256) }, { line2: [] }])(
  "an address with %j is refused, naming the member",
  async (wrong) => {
    const reply = await ask(`POST /card-integrators/${integrator.id}/register-user`, {
      ...person,
      email: "a@example.com",
      address: { ...person.address, ...wrong },
    });
    const [name] = Object.keys(wrong);
    expect(reply).toMatchObject({
      status: 422,
      json: { errors: { [`address.${name}`]: [expect.stringMatching(/^This field must be/u)] } },
    });
  },
);

test.each([
  { card_integrator_id: "", source: "" },
  { card_integrator_id: null, source: null },
])("a card is created with %j as if they were missing", async (members) => {
  const users = await ask("GET /card-integrators/card-users?limit=1");
  const [user] = (users.json as { data: { id: string }[] }).data;
  const reply = await ask("POST /cards/create-virtual-card", {
    user_id: user?.id,
    currency: "USD",
    design_type: "midnight",
    single_use: false,
    validity: 30,
    ...members,
  });
  expect(reply.status).toBe(201);
  const credited = await ask("PATCH /cards/credit/balance", {
    card_id: (reply.json as { data: { id: string } }).data.id,
    amount: 5,
    source: members.source,
    narrative: "",
  });
  expect(credited).toMatchObject({ status: 200, json: { balance: 5 } });
  const listed = await ask("GET /transactions?type=credit&limit=1");
  expect(listed.json).toMatchObject({ data: [{ amount: 5, narrative: null }] });
});

test("an empty filter, limit and page count as absent, in both spellings", async () => {
  const all = await ask("GET /cards");
  expect(await ask("GET /cards?user_id=&limit=&page=")).toMatchObject({
    status: 200,
    text: all.text,
  });
  const listed = await ask(`GET /cards/${cardId}/transactions?Limit=&Page=`);
  expect(listed).toMatchObject({ status: 200, json: { message: "Ok" } });
});

test.each<[string, Record<string, unknown>]>([
  ["missing", {}],
  [
    "null",
    { business_address: null, contact_number: null, domain: null, registration_number: null },
  ],
  ["empty", { business_address: "", contact_number: " ", domain: "", registration_number: "" }],
])("what a registration leaves for later may be %s, and settings set it", async (_how, members) => {
  const registered = await call("POST /card-integrators/register-integrator", {
    body: {
      business_name: "Quay",
      country: "US",
      email: `${newId()}@example.com`,
      first_name: "Ada",
      last_name: "Winter",
      password: newId(),
      ...members,
    },
  });
  expect(registered).toMatchObject({
    status: 201,
    json: {
      data: { business_address: "", contact_number: "", domain: "", registration_number: "" },
    },
  });
  const { api_key: key } = (registered.json as { data: { api_key: string } }).data;
  const later = { contact_number: "+15550100", country: "GH", registration_number: "12345" };
  const set = await call("PATCH /card-integrators/settings", { key, body: later });
  expect(set).toMatchObject({ status: 200, json: { data: later } });
  const emptied = await call("PATCH /card-integrators/settings", {
    key,
    body: { contact_number: "" },
  });
  expect(emptied).toMatchObject({
    status: 422,
    json: { errors: { contact_number: ["This field must not be empty. Leave it out."] } },
  });
});

function setSettings(body: unknown): Promise<ApiReply> {
  return ask("PATCH /card-integrators/settings", body);
}

test("the look of cards is a setting: refused where it is malformed, audited where it changes, removed by null", async () => {
  expect(await setSettings({ card_color: "blue", program_name: "x".repeat(41) })).toMatchObject({
    status: 422,
    json: {
      errors: {
        card_color: ["This field must be a color such as #1b2340, or null."],
        program_name: ["This field must be at most 40 characters long."],
      },
    },
  });
  expect(await setSettings({ card_color: "#A1B2C3", program_name: " Quay Cards " })).toMatchObject({
    json: { data: { card_color: "#a1b2c3", program_name: "Quay Cards" } },
  });
  const { rows } = await listAudit(reading(integrator), { limit: 1 });
  expect(rows).toMatchObject([
    {
      action: "integrator.updated",
      before: { card_color: null, program_name: null },
      after: { card_color: "#a1b2c3", program_name: "Quay Cards" },
    },
  ]);
  expect(await setSettings({ card_color: null, program_name: null })).toMatchObject({
    json: { data: { card_color: null, program_name: null } },
  });
});

test.each([{ webhook_url: "" }, { webhook_url: null }, {}])(
  "an integrator is registered with %j",
  async (members) => {
    const reply = await call("POST /card-integrators/register-integrator", {
      body: {
        business_name: "Quay",
        business_address: "1 Quay",
        contact_number: "+15550100",
        country: "US",
        domain: "quay.example",
        email: `${newId()}@example.com`,
        first_name: "Ada",
        last_name: "Winter",
        password: newId(),
        registration_number: "1",
        ...members,
      },
    });
    expect(reply).toMatchObject({ status: 201, json: { data: { webhook_url: null } } });
  },
);
