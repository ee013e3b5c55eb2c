import { sql } from "drizzle-orm";
import { TOTP } from "otpauth";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { enter as enterWith } from "#test/scene/sign-in.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { makeStale, newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import type { Role } from "#lib/access/roles.ts";
import type { SignInOutcome } from "#lib/staff/sign-in.ts";

const PERIOD_S = 30;
const REFUSED = { signedIn: false, reason: "refused" };
const NO_CODE = "000000";

let mine: TestIntegrator;

beforeAll(async () => {
  mine = await newIntegrator();
});

/** A person with a second factor, its authenticator secret, and its recovery codes. */
interface Enrolled extends TestStaff {
  secret: string;
  recoveryCodes: string[];
}

function begin(person: TestStaff): Promise<ApiReply> {
  return call("POST /staff/me/second-factor", { headers: person.headers });
}

function enable(person: TestStaff, code: string): Promise<ApiReply> {
  return call("POST /staff/me/second-factor/enable", { headers: person.headers, body: { code } });
}

async function newEnrolled(role: Role = "operator"): Promise<Enrolled> {
  const person = await newPerson(mine.id, role);
  return enrol(person);
}

async function enrol(person: TestStaff): Promise<Enrolled> {
  const { secret } = (await begin(person)).json as { secret: string };
  const enabled = await enable(person, codeOf(secret));
  expect(enabled.status).toBe(200);
  const { recovery_codes: recoveryCodes } = enabled.json as { recovery_codes: string[] };
  await forgetUsedCodes(person);
  return { ...person, secret, recoveryCodes };
}

/** Lets codes be used again, as if the last sign-in had been long ago. */
async function forgetUsedCodes({ id }: TestStaff): Promise<void> {
  await testDatabase().db.execute(sql`update staff set totp_step = null where id = ${id}`);
}

/** The code that the app shows now, or the given number of steps from now. */
function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * PERIOD_S * 1_000;
  return new TOTP({ secret, period: PERIOD_S }).generate({ timestamp });
}

function enter(
  { email }: TestStaff,
  code: string | null,
  { password = PASSWORD, address = newId() } = {},
): Promise<SignInOutcome> {
  return enterWith({ email, password, code, address });
}

function confirm({ headers }: TestStaff, code: string | null = null): Promise<ApiReply> {
  return call("POST /staff/me/confirm", { headers, body: { password: PASSWORD, code } });
}

/** Turns the account's second factor requirement on or off. */
function decide({ headers }: TestStaff, required: boolean): Promise<ApiReply> {
  return call("PATCH /staff/second-factor-policy", { headers, body: { required } });
}

function countEntered(outcomes: readonly SignInOutcome[]): number {
  return outcomes.filter(({ signedIn }) => signedIn).length;
}

describe("a second factor", () => {
  test("is required only after its first code was confirmed", async () => {
    const person = await newPerson(mine.id);
    const { secret } = (await begin(person)).json as { secret: string };
    expect(await enter(person, null)).toMatchObject({ signedIn: true });
    expect(await enable(person, NO_CODE)).toMatchObject({
      status: 422,
      json: { errors: { code: [expect.any(String)] } },
    });
    expect((await enable(person, codeOf(secret))).status).toBe(200);
    expect(await enter(person, null)).toEqual({ signedIn: false, reason: "code_required" });
  });

  test("answers ten recovery codes and ends the other sessions when it is set up", async () => {
    const person = await newPerson(mine.id);
    const elsewhere = await person.signInAgain();
    const { recoveryCodes } = await enrol(person);
    expect(new Set(recoveryCodes).size).toBe(10);
    // 24 of 32 letters: 120 bits.
    for (const code of recoveryCodes) {
      expect(code).toMatch(/^[a-z2-9]{6}(?:-[a-z2-9]{6}){3}$/u);
    }
    expect((await call("GET /cards", { headers: elsewhere })).status).toBe(401);
    expect((await call("GET /cards", { headers: person.headers })).status).toBe(200);
  });

  test("cannot be replaced, needs a recent sign-in to be removed, and is not required after that", async () => {
    const person = await newEnrolled();
    expect(await begin(person)).toMatchObject({ json: { code: "second_factor_exists" } });
    await makeStale(person);
    const disable = () => call("DELETE /staff/me/second-factor", { headers: person.headers });
    expect(await disable()).toMatchObject({ json: { code: "fresh_sign_in_required" } });
    expect((await confirm(person, codeOf(person.secret))).status).toBe(200);
    expect((await disable()).status).toBe(200);
    expect(await enter(person, null)).toMatchObject({ signedIn: true });
    expect(await enter(person, person.recoveryCodes[0] ?? "")).toMatchObject({ signedIn: true });
  });

  test("is stored encrypted, and its recovery codes are hashed", async () => {
    const person = await newEnrolled();
    const rows = await testDatabase().db.execute(sql`
      select s.*, r.hash from staff s join recovery_codes r on r.staff_id = s.id where s.id = ${person.id}`);
    const stored = JSON.stringify(rows);
    expect(rows).toHaveLength(10);
    expect(stored).not.toContain(person.secret);
    expect(stored).not.toContain(person.recoveryCodes[0]?.replaceAll("-", ""));
  });
});

describe("a code", () => {
  // The clock stands still: no step may pass between creating a code and using it.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("is requested only after the right password, and a missing code does not count as a failure", async () => {
    const person = await newEnrolled();
    expect(await enter(person, codeOf(person.secret), { password: "wrong horse battery" })).toEqual(
      REFUSED,
    );
    for (let round = 0; round < 10; round += 1) {
      expect(await enter(person, null)).toEqual({ signedIn: false, reason: "code_required" });
    }
    expect(await enter(person, codeOf(person.secret))).toMatchObject({ signedIn: true });
  });

  test("is accepted once", async () => {
    const person = await newEnrolled();
    const code = codeOf(person.secret);
    expect(await enter(person, code)).toMatchObject({ signedIn: true });
    expect(await enter(person, code)).toEqual(REFUSED);
  });

  test("is accepted once when sent four times at once", async () => {
    const person = await newEnrolled();
    const code = codeOf(person.secret);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => enter(person, code)));
    expect(countEntered(outcomes)).toBe(1);
  });

  test("that set up the second factor cannot sign in", async () => {
    const person = await newPerson(mine.id);
    const { secret } = (await begin(person)).json as { secret: string };
    const code = codeOf(secret);
    await enable(person, code);
    expect(await enter(person, code)).toEqual(REFUSED);
  });

  test.each([-1, 0, 1])("from %i steps away is accepted", async (steps) => {
    const person = await newEnrolled();
    expect(await enter(person, codeOf(person.secret, steps))).toMatchObject({ signedIn: true });
  });

  test.each([-2, 2])("from %i steps away is refused", async (steps) => {
    const person = await newEnrolled();
    expect(await enter(person, codeOf(person.secret, steps))).toEqual(REFUSED);
  });

  test("older than the last accepted one is refused", async () => {
    const person = await newEnrolled();
    expect(await enter(person, codeOf(person.secret, 1))).toMatchObject({ signedIn: true });
    expect(await enter(person, codeOf(person.secret))).toEqual(REFUSED);
  });

  test("of another person is refused", async () => {
    const [person, other] = [await newEnrolled(), await newEnrolled()];
    expect(await enter(person, codeOf(other.secret))).toEqual(REFUSED);
    expect(await enter(person, other.recoveryCodes[0] ?? "")).toEqual(REFUSED);
  });

  test("that is wrong counts as a failure: after five, the right one must wait too", async () => {
    const person = await newEnrolled();
    const address = newId();
    for (let wrong = 0; wrong < 5; wrong += 1) {
      expect(await enter(person, NO_CODE, { address })).toEqual(REFUSED);
    }
    const outcome = await enter(person, codeOf(person.secret), { address });
    expect(outcome).toMatchObject({ reason: "throttled" });
  });
});

describe("a recovery code", () => {
  test("stands in for a code once, however it is typed", async () => {
    const person = await newEnrolled();
    const [code = "", other = ""] = person.recoveryCodes;
    const typed = ` ${code.toUpperCase().replaceAll("-", " ")} `;
    expect(await enter(person, typed)).toMatchObject({ signedIn: true });
    expect(await enter(person, code)).toEqual(REFUSED);
    expect(await enter(person, other)).toMatchObject({ signedIn: true });
  });

  test("is accepted once when sent four times at once", async () => {
    const person = await newEnrolled();
    const [code = ""] = person.recoveryCodes;
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => enter(person, code)));
    expect(countEntered(outcomes)).toBe(1);
  });
});

describe("a fresh sign-in by a person with a second factor", () => {
  test("requires a code too, accepted once", async () => {
    const person = await newEnrolled();
    expect(await confirm(person)).toMatchObject({
      status: 422,
      json: { code: "validation_failed" },
    });
    const code = codeOf(person.secret);
    expect((await confirm(person, code)).status).toBe(200);
    expect((await confirm(person, code)).status).toBe(422);
  });

  test("is throttled for wrong codes as for wrong passwords", async () => {
    const person = await newEnrolled();
    for (let wrong = 0; wrong < 5; wrong += 1) {
      expect((await confirm(person, NO_CODE)).status).toBe(422);
    }
    expect((await confirm(person, codeOf(person.secret))).status).toBe(422);
  });
});

describe("an account that requires a second factor", () => {
  test("can be set so by an owner only; from the next request on, only people with one get access", async () => {
    const theirs = await newIntegrator();
    const person = await newPerson(theirs.id);
    const owner = await enrol(await newPerson(theirs.id, "owner"));
    const admin = await enrol(await newPerson(theirs.id, "admin"));
    const ask = () => call("GET /cards", { headers: person.headers });
    expect(await decide(admin, true)).toMatchObject({
      status: 403,
      json: { code: "role_insufficient" },
    });
    expect((await ask()).status).toBe(200);
    expect((await decide(owner, true)).status).toBe(200);
    expect(await ask()).toMatchObject({ status: 403, json: { code: "second_factor_required" } });
    expect((await call("GET /cards", { headers: admin.headers })).status).toBe(200);
    expect((await call("GET /cards", { key: theirs.apiKey })).status).toBe(200);
    await enrol(person);
    expect((await ask()).status).toBe(200);
    await call("DELETE /staff/me/second-factor", { headers: person.headers });
    expect(await ask()).toMatchObject({ json: { code: "second_factor_required" } });
    expect((await decide(owner, false)).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  test("does not require one of other integrators' staff", async () => {
    const person = await newPerson(mine.id);
    const theirs = await newIntegrator();
    await decide(await enrol(await newStaff(theirs.id, "owner")), true);
    expect((await call("GET /cards", { headers: person.headers })).status).toBe(200);
  });
});
