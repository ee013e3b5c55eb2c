import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createCardFor, newUser, pathOf, recordsOf, userIn } from "#test/scene/cardholders.ts";
import type { User } from "#test/scene/cardholders.ts";
import { newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";

let integrator: TestIntegrator;

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
});

function ask(line: string, body?: unknown, headers = {}): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body, headers });
}

describe("reading", () => {
  test("a cardholder is answered as they were registered", async () => {
    const user = await newUser(integrator);
    const reply = await ask(`GET ${pathOf(user)}`);
    expect(reply.status).toBe(200);
    expect(userIn(reply)).toEqual(user);
  });

  test("the list is filtered by a whole email, by archived, and by part of a name or email", async () => {
    const token = newId();
    const archived = await newUser(integrator, {
      email: `${token}+old@example.com`,
      first_name: token,
    });
    const user = await newUser(integrator, {
      email: `${token}@Example.com`,
      last_name: `O'${token}`,
    });
    await ask(`POST ${pathOf(archived)}/archive`);
    const list = async (query: Record<string, string>) => {
      const reply = await ask(`GET /card-integrators/card-users?${new URLSearchParams(query)}`);
      expect(reply.status).toBe(200);
      const { data, total } = reply.json as { data: User[]; total: number };
      expect(total).toBe(data.length);
      return data.map(({ id }) => id);
    };
    expect(await list({ email: `${token}@example.COM` })).toEqual([user.id]);
    expect(await list({ email: `${newId()}@example.com` })).toEqual([]);
    expect(await list({ search: token })).toEqual([user.id, archived.id]);
    expect(await list({ search: `mensah ${token}+OLD` })).toEqual([archived.id]);
    expect(await list({ search: token, archived: "true" })).toEqual([archived.id]);
    expect(await list({ search: token, archived: "false" })).toEqual([user.id]);
    expect(await list({ search: "100%" })).toEqual([]);
  });

  test("a value that a filter cannot have is named", async () => {
    const reply = await ask("GET /card-integrators/card-users?email=nobody&archived=maybe");
    expect(reply).toMatchObject({
      status: 422,
      json: {
        errors: { email: [expect.any(String)], archived: [expect.stringMatching(/"true"/u)] },
      },
    });
  });

  test("another integrator's cardholder is on no list", async () => {
    const user = await newUser(integrator);
    const stranger = await newIntegrator();
    const reply = await call(`GET /card-integrators/card-users?email=${user.email}`, {
      key: stranger.apiKey,
    });
    expect(reply.json).toMatchObject({ data: [], total: 0 });
  });
});

describe("updating", () => {
  test("given members change and all others stay; who changed what is recorded without personal details in the event", async () => {
    const user = await newUser(integrator, { user_photo: "https://example.com/kofi.png" });
    const email = `${newId()}@example.com`;
    const address = { city: "Kumasi", country: "GH", line1: "1 Hill Road" };
    const reply = await ask(`PATCH ${pathOf(user)}`, { email, address, user_photo: null });
    expect(reply.status).toBe(200);
    expect(userIn(reply)).toEqual({
      ...user,
      email,
      address: { ...address, line2: null, state: null, zip_code: null },
      user_photo: null,
      updated_at: expect.any(String),
    });
    expect(userIn(reply).updated_at > user.updated_at).toBe(true);
    expect(userIn(await ask(`GET ${pathOf(user)}`))).toEqual(userIn(reply));
    const records = await recordsOf(integrator, user);
    expect(records.events).toMatchObject([{ event: "user.updated", sequence: 2 }]);
    expect(records.events[0]).toMatchObject({
      data: { user_id: user.id, changed: ["email", "address", "user_photo"] },
      actor: { type: "api_key" },
    });
    expect(records.events[0]?.body).not.toContain("Kumasi");
    expect(records.audit).toEqual([
      {
        action: "cardholder.updated",
        before: {
          email: user.email,
          address: {
            city: "Accra",
            country: "GH",
            line1: "2 Ring Road",
            line2: "Apt 4",
            state: null,
            zip_code: null,
          },
          user_photo: "https://example.com/kofi.png",
        },
        after: {
          email,
          address: { ...address, line2: null, state: null, zip_code: null },
          user_photo: null,
        },
      },
    ]);
  });

  test("what is as it was leaves no trace", async () => {
    const user = await newUser(integrator);
    const reply = await ask(`PATCH ${pathOf(user)}`, { first_name: " Kofi ", email: user.email });
    expect(userIn(reply)).toEqual(user);
    expect(await recordsOf(integrator, user)).toEqual({ events: [], audit: [] });
  });

  test("existing cards keep their name, new ones have the new name", async () => {
    const user = await newUser(integrator);
    await createCardFor(integrator, user);
    await ask(`PATCH ${pathOf(user)}`, { last_name: "Boateng" });
    await createCardFor(integrator, user);
    const listed = await ask(`GET /cards?user_id=${user.id}`);
    expect((listed.json as { card_name: string }[]).map((card) => card.card_name)).toEqual([
      "Kofi Boateng",
      "Kofi Mensah",
    ]);
  });

  test("an empty body, a wrong value, and a member that cannot change are named, and nothing changes", async () => {
    const user = await newUser(integrator);
    const empty = await ask(`PATCH ${pathOf(user)}`, {});
    expect(empty).toMatchObject({ status: 422, json: { errors: { email: [expect.any(String)] } } });
    const wrong = await ask(`PATCH ${pathOf(user)}`, {
      first_name: "",
      last_name: "Boateng",
      id_number: "B1",
      address: { city: "Kumasi" },
    });
    expect(wrong.status).toBe(422);
    expect(Object.keys((wrong.json as { errors: object }).errors).toSorted()).toEqual([
      "address.country",
      "address.line1",
      "first_name",
      "id_number",
    ]);
    expect(userIn(await ask(`GET ${pathOf(user)}`))).toEqual(user);
  });

  test("one's own email in another case is fine; another's is taken, archived or not", async () => {
    const user = await newUser(integrator);
    const other = await newUser(integrator);
    await ask(`POST ${pathOf(other)}/archive`);
    const own = await ask(`PATCH ${pathOf(user)}`, { email: user.email.toUpperCase() });
    expect(userIn(own).email).toBe(user.email.toUpperCase());
    const taken = await ask(`PATCH ${pathOf(user)}`, { email: other.email.toUpperCase() });
    expect(taken).toMatchObject({
      status: 400,
      json: { code: "user_already_exists", errors: { email: [expect.any(String)] } },
    });
  });

  test("a repeat with the same idempotency key is answered alike and changes nothing again", async () => {
    const user = await newUser(integrator);
    const headers = { "Idempotency-Key": newId() };
    const first = await ask(`PATCH ${pathOf(user)}`, { first_name: "Ama" }, headers);
    await ask(`PATCH ${pathOf(user)}`, { first_name: "Esi" });
    const repeat = await ask(`PATCH ${pathOf(user)}`, { first_name: "Ama" }, headers);
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(userIn(await ask(`GET ${pathOf(user)}`))).toMatchObject({ first_name: "Esi" });
  });

  test("of cardholders that want the same email at once, exactly one gets it, new or not", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => newUser(integrator)));
    const email = `${newId()}@example.com`;
    const register = ask(`POST /card-integrators/${integrator.id}/register-user`, {
      first_name: "A",
      last_name: "B",
      email,
      phone_number: "1",
      id_type: "passport",
      id_number: "1",
      address: { city: "Accra", country: "GH", line1: "1" },
    });
    const replies = await Promise.all([
      register,
      ...users.map((user) => ask(`PATCH ${pathOf(user)}`, { email: email.toUpperCase() })),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(6);
  });
});

test("reading takes cards:read, and changing takes cards:write", async () => {
  const user = await newUser(integrator);
  const { key: reader } = await newScopedKey(integrator.id, ["cards:read"]);
  const { key: writer } = await newScopedKey(integrator.id, ["cards:write"]);
  expect(await call(`GET ${pathOf(user)}`, { key: reader })).toMatchObject({ status: 200 });
  expect(await call(`GET ${pathOf(user)}`, { key: writer })).toMatchObject({ status: 403 });
  for (const [line, body] of [
    [`PATCH ${pathOf(user)}`, { first_name: "Ama" }],
    [`POST ${pathOf(user)}/archive`, undefined],
    [`POST ${pathOf(user)}/unarchive`, undefined],
  ] as const) {
    expect(await call(line, { key: reader, body })).toMatchObject({ status: 403 });
    expect(await call(line, { key: writer, body })).toMatchObject({ status: 200 });
  }
});
