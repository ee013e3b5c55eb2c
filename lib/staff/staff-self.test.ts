import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { enter, remember } from "#test/scene/sign-in.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newPerson } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";

const WRONG = "wrong horse battery";

let integratorId: string;

beforeAll(async () => {
  ({ id: integratorId } = await newIntegrator());
});

function confirm(headers: TestStaff["headers"], password: string): Promise<ApiReply> {
  return call("POST /staff/me/confirm", { headers, body: { password } });
}

describe("confirming an identity", () => {
  test("is delayed neither by failed sign-ins, nor by another session's wrong passwords", async () => {
    const person = await newPerson(integratorId);
    const elsewhere = await person.signInAgain();
    await remember(person.email, 70);
    await remember(person.email, 15, newId());
    for (let failed = 0; failed < 6; failed += 1) {
      expect((await confirm(elsewhere, WRONG)).status).toBe(422);
    }
    const refused = await confirm(elsewhere, PASSWORD);
    expect(refused.json).toMatchObject({
      errors: { password: [expect.stringMatching(/^Too many/u)] },
    });
    expect((await confirm(person.headers, PASSWORD)).status).toBe(200);
  });

  test("with wrong passwords does not delay a sign-in", async () => {
    const person = await newPerson(integratorId);
    await Promise.all(Array.from({ length: 6 }, () => confirm(person.headers, WRONG)));
    const attempt = { email: person.email, password: PASSWORD, address: "127.0.0.1" };
    expect(await enter(attempt)).toMatchObject({ signedIn: true });
  });
});

test("a right present password is no failure, however often the next one is too weak", async () => {
  const { headers } = await newPerson(integratorId);
  const body = { current_password: PASSWORD, new_password: "password1234" };
  for (let tried = 0; tried < 8; tried += 1) {
    const refused = await call("PATCH /staff/me/password", { headers, body });
    expect(refused.json).toMatchObject({ errors: { new_password: [expect.any(String)] } });
  }
});
