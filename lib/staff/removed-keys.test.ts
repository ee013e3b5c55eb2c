import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";

let integratorId: string;
let owner: TestStaff;

beforeAll(async () => {
  ({ id: integratorId } = await newIntegrator());
  owner = await newStaff(integratorId, "owner");
});

async function makeKey({ headers }: TestStaff, name: string) {
  const body = { name, scopes: ["cards:read"] };
  const { json } = await call("POST /api-keys", { headers, body });
  return { id: String(Object(json).data.id), key: String(Object(json).api_key) };
}

function remove({ id }: TestStaff, query = ""): Promise<ApiReply> {
  return call(`DELETE /staff/${id}${query}`, { headers: owner.headers });
}

const keysOf = ({ json }: ApiReply) =>
  Object(json)
    .api_keys.map(Object)
    .map((key: Record<string, unknown>) => [key["name"], key["revoked_at"]]);

test("whoever removes a person is told which of their keys work on", async () => {
  const person = await newStaff(integratorId, "admin");
  const gone = await makeKey(person, "Revoked before");
  await call(`DELETE /api-keys/${gone.id}`, { headers: person.headers });
  const left = await makeKey(person, "Left");
  await makeKey(owner, "Somebody else's");
  expect(keysOf(await remove(person))).toEqual([["Left", null]]);
  expect((await call("GET /cards", { key: left.key })).status).toBe(200);
});

test("and can revoke them with the removal, each with an entry of its own in the audit log", async () => {
  const person = await newStaff(integratorId, "admin");
  const { id, key } = await makeKey(person, "Revoked with them");
  expect((await call("GET /cards", { key })).status).toBe(200);
  const removed = await remove(person, "?revoke_api_keys=true");
  expect(keysOf(removed)).toEqual([["Revoked with them", expect.any(String)]]);
  expect((await call("GET /cards", { key })).status).toBe(401);
  const audited = await call(`GET /audit-log?target_id=${id}&action=api_key.revoked`, {
    headers: owner.headers,
  });
  expect(audited.json).toMatchObject({ data: [{ actor: { id: owner.id } }] });
});
