import { TOTP } from "otpauth";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { readOutbox } from "#test/scene/outbox.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { enter } from "#test/scene/sign-in.ts";
import { newPerson } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { NEW_PASSWORD } from "#test/scene/staff-links.ts";

let integratorId: string;
let owner: TestStaff;
let admin: TestStaff;

beforeEach(async () => {
  ({ id: integratorId } = await newIntegrator());
  owner = await newPerson(integratorId, "owner");
  admin = await newPerson(integratorId, "admin");
});

/** Who was told what. */
async function listTold() {
  const all = await readOutbox(integratorId);
  const names = new Map([
    [owner.email, "owner"],
    [admin.email, "admin"],
  ]);
  // The account's first owner is told what every owner is.
  const told = all.flatMap(({ kind, email }) => {
    const name = names.get(email);
    return name ? [`${kind} to ${name}`] : [];
  });
  return told.toSorted();
}

describe("told by mail", () => {
  test("is a person whose password changed", async () => {
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    await call("PATCH /staff/me/password", { headers: admin.headers, body });
    expect(await listTold()).toEqual(["password.changed to admin"]);
  });

  test("are a person and the owners when the second factor is turned on and off", async () => {
    const { headers } = admin;
    const begun = await call("POST /staff/me/second-factor", { headers });
    const code = new TOTP({ secret: Object(begun.json).secret }).generate();
    await call("POST /staff/me/second-factor/enable", { headers, body: { code } });
    await call("DELETE /staff/me/second-factor", { headers });
    const admins = Array.from({ length: 2 }, () => "second_factor.changed to admin");
    const owners = Array.from({ length: 2 }, () => "second_factor.changed to owner");
    expect(await listTold()).toEqual([...admins, ...owners]);
    const subjects = (await readOutbox(integratorId, admin.email)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      "Two-factor authentication of Kim admin was turned on",
      "Two-factor authentication of Kim admin was turned off",
    ]);
  });

  test("are the owners and whoever did it of a new API key, and of a role", async () => {
    const body = { name: "Ledger\r\nBcc: x@evil.example", scopes: ["cards:read"] };
    await call("POST /api-keys", { headers: admin.headers, body });
    await call(`PATCH /staff/${admin.id}`, { headers: owner.headers, body: { role: "viewer" } });
    expect(await listTold()).toEqual([
      "api_key.created to admin",
      "api_key.created to owner",
      "role.changed to admin",
      "role.changed to owner",
    ]);
    for (const { subject } of await readOutbox(integratorId)) {
      expect(subject).not.toMatch(/[\r\n]/u);
    }
  });

  test("is a person who signs in with a browser that is not known, but not the first time", async () => {
    const { email, id } = admin;
    const known = { id: "browser", people: [id] };
    await enter({ email, password: PASSWORD });
    await enter({ email, password: PASSWORD, browser: known });
    expect(await listTold()).toEqual([]);
    await enter({ email, password: PASSWORD, browser: { id: "other", people: [owner.id] } });
    await enter({ email, password: PASSWORD });
    expect(await listTold()).toEqual([
      "sign_in.new_browser to admin",
      "sign_in.new_browser to admin",
    ]);
  });
});
