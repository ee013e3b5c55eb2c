import { sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { newIntegrator } from "#db/testing/fixtures.ts";
import type { TestIntegrator } from "#db/testing/fixtures.ts";
import { newStaff, toHeaders } from "#db/testing/staff.ts";
import type { TestStaff } from "#db/testing/staff.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { newId } from "#lib/base/ids.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { signIn, signInVouched } from "#lib/staff/sign-in.ts";
import type { SignInOutcome } from "#lib/staff/sign-in.ts";
import { toDelayS } from "#lib/staff/sign-in-throttle.ts";

const PASSWORD = "correct horse battery";
const WRONG = "wrong horse battery";
const REFUSED = { signedIn: false, reason: "refused" };

let mine: TestIntegrator;
let passwordHash: string;

beforeAll(async () => {
  mine = await newIntegrator();
  passwordHash = await hashPassword(PASSWORD);
});

function newPerson(): Promise<TestStaff> {
  return newStaff(mine.id, "operator", passwordHash);
}

/** Each call uses its own address unless one is given. */
function enter(email: string, password: string, address: string = newId()): Promise<SignInOutcome> {
  const request = newRequest(address);
  return signIn(testDatabase().db, { email, password, code: null, request });
}

function newRequest(address: string = newId()): RequestOrigin {
  return { id: newId(), address, agent: "test" };
}

/** How long a refusal takes, in milliseconds. */
async function measure(email: string): Promise<number> {
  const started = performance.now();
  await enter(email, WRONG);
  return performance.now() - started;
}

function toMedian(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Moves all failures of an address further into the past. */
async function wait(seconds: number): Promise<void> {
  await testDatabase().db.execute(
    sql`update sign_in_failures set created_at = created_at - make_interval(secs => ${seconds})`,
  );
}

async function fail(email: string, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    expect(await enter(email, WRONG)).toMatchObject({ signedIn: false });
  }
}

/** Adds failures of a name as of now, each from its own address. */
async function remember(email: string, failures: number): Promise<void> {
  for (let failed = 0; failed < failures; failed += 1) {
    await testDatabase().db.execute(sql`
      insert into sign_in_failures (id, name_hash, address)
      values (${newId()}, encode(sha256(${email}::bytea), 'hex'), ${newId()})`);
  }
}

/** The wait that was imposed. */
function toWaitS(outcome: SignInOutcome): number {
  expect(outcome).toMatchObject({ signedIn: false, reason: "throttled" });
  return "waitS" in outcome ? outcome.waitS : 0;
}

async function auditedOf({ id }: TestStaff): Promise<unknown[]> {
  const rows = await testDatabase().db.execute(sql`
    select action from audit_log where integrator_id = ${mine.id} and target_id = ${id} order by id`);
  return rows.map(({ action }) => action);
}

describe("the right password", () => {
  test("opens a session for that person, in any spelling of the email, and is recorded", async () => {
    const person = await newPerson();
    const outcome = await enter(` ${person.email.toUpperCase()} `, PASSWORD);
    expect(outcome).toMatchObject({ signedIn: true });
    const headers = await toHeaders(outcome.signedIn ? outcome.token : "");
    const reply = await call("GET /cards", { headers });
    expect(reply.status).toBe(200);
    expect(await auditedOf(person)).toEqual(["staff.signed_in"]);
  });

  test.each([
    ["of a removed person", sql`update staff set removed_at = clock_timestamp()`],
    [
      "of a person who signs in only through a provider",
      sql`update staff set password_hash = null`,
    ],
  ])("%s does not open a session", async (_name, change) => {
    const person = await newPerson();
    await testDatabase().db.execute(sql`${change} where id = ${person.id}`);
    expect(await enter(person.email, PASSWORD)).toEqual(REFUSED);
  });

  test.each([
    ["changed", "update staff set password_hash = 'another'"],
    ["deleted with the person", "update staff set removed_at = clock_timestamp()"],
  ])("that is %s while it is being checked does not open a session", async (_name, change) => {
    const person = await newPerson();
    const { db, url } = testDatabase();
    const elsewhere = postgres(url, { max: 1 });
    const isWaiting = async () => {
      const rows = await db.execute(sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%staff%'`);
      return rows.length > 0;
    };
    let entering: Promise<SignInOutcome> | undefined;
    await elsewhere.begin(async (tx) => {
      await tx.unsafe(`${change} where id = '${person.id}'`);
      // It reads the old row, checks the password, and reaches the point of opening a session.
      entering = enter(person.email, PASSWORD);
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
    });
    expect(await entering).toEqual(REFUSED);
    await elsewhere.end();
  });
});

describe("a refused sign-in", () => {
  test("gets the same answer for a known and an unknown name, even when it must wait", async () => {
    const person = await newPerson();
    for (const email of [person.email, `${newId()}@nobody.example`]) {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await enter(email, WRONG)).toEqual(REFUSED);
      }
      await remember(email, 10);
      for (const password of [WRONG, PASSWORD]) {
        const waitS = toWaitS(await enter(email, password));
        // 900 s after this many failures, minus the duration of this test.
        expect(waitS).toBeGreaterThan(800);
        expect(waitS).toBeLessThanOrEqual(900);
      }
    }
  });

  test("takes about as long for an unknown name as for a known one", async () => {
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let sample = 0; sample < 30; sample += 1) {
      const person = await newPerson();
      took.known.push(await measure(person.email));
      took.unknown.push(await measure(`${newId()}@nobody.example`));
    }
    const ratio = toMedian(took.known) / toMedian(took.unknown);
    // Without the dummy password hash, the ratio is six or more.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test("for a known name is recorded", async () => {
    const person = await newPerson();
    await fail(person.email, 1);
    await expect.poll(() => auditedOf(person)).toEqual(["staff.sign_in_refused"]);
  });

  test("with text that no name can contain is an ordinary refusal", async () => {
    expect(await enter("kim\0@example.com", "\0")).toEqual(REFUSED);
  });
});

describe("failures of one name", () => {
  test("cost nothing up to the fifth; then the wait doubles from one second to fifteen minutes", () => {
    const delays = Array.from({ length: 18 }, (_, failures) => toDelayS(failures));
    expect(delays).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    expect(toDelayS(2_000)).toBe(900);
  });

  test("below five cost nothing", async () => {
    const person = await newPerson();
    await fail(person.email, 4);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });

  test("refuse even the right password until the wait is over, from any address", async () => {
    const person = await newPerson();
    await fail(person.email, 5);
    await remember(person.email, 5);
    const waitS = toWaitS(await enter(person.email, PASSWORD));
    expect(waitS).toBeLessThanOrEqual(32);
    await wait(waitS - 10);
    const restS = toWaitS(await enter(person.email, PASSWORD));
    expect(restS).toBeLessThanOrEqual(10);
    await wait(restS);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });

  test("do not increase with attempts refused during the wait", async () => {
    const person = await newPerson();
    await fail(person.email, 5);
    await remember(person.email, 5);
    const waitS = toWaitS(await enter(person.email, WRONG));
    await fail(person.email, 40);
    await wait(waitS);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });

  test("are forgotten after a success", async () => {
    const person = await newPerson();
    await fail(person.email, 4);
    await enter(person.email, PASSWORD);
    await fail(person.email, 4);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });

  test("are at most five of fifty concurrent attempts", async () => {
    const person = await newPerson();
    const started = performance.now();
    const attempts = Array.from({ length: 50 }, () => enter(person.email, WRONG));
    await Promise.allSettled(attempts);
    const seconds = (performance.now() - started) / 1_000;
    const [row] = await testDatabase().db.execute<{ guesses: number }>(sql`
      select count(*)::int as guesses from sign_in_failures
      where name_hash = encode(sha256(${person.email}::bytea), 'hex')`);
    // On a machine so slow that a wait ended in the meantime, the guess after it is legitimate.
    const fair = 5 + [1, 3, 7, 15].filter((waited) => waited <= seconds).length;
    expect(row?.guesses).toBeGreaterThanOrEqual(5);
    expect(row?.guesses).toBeLessThanOrEqual(fair);
  });

  test("of other names are independent", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    await fail(other.email, 6);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });
});

describe("failures from one address", () => {
  test("are limited to twenty within ten minutes, for any names; then even the right password must wait", async () => {
    const person = await newPerson();
    const address = newId();
    for (let failed = 0; failed < 20; failed += 1) {
      await enter(`${newId()}@nobody.example`, WRONG, address);
    }
    const waitS = toWaitS(await enter(person.email, PASSWORD, address));
    expect(waitS).toBeGreaterThan(9 * 60);
    expect(waitS).toBeLessThanOrEqual(10 * 60);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
    await wait(9 * 60);
    const restS = toWaitS(await enter(person.email, PASSWORD, address));
    expect(restS).toBeLessThanOrEqual(60);
    await wait(restS);
    expect(await enter(person.email, PASSWORD, address)).toMatchObject({ signedIn: true });
  });

  test("are limited to twenty even when sixty names are tried at once", async () => {
    const address = newId();
    const attempts = Array.from({ length: 60 }, () =>
      enter(`${newId()}@nobody.example`, WRONG, address),
    );
    await Promise.allSettled(attempts);
    const rows = await testDatabase().db.execute(
      sql`select 1 from sign_in_failures where address = ${address}`,
    );
    expect(rows).toHaveLength(20);
  });

  test("do not include successful sign-ins", async () => {
    const address = newId();
    for (let entered = 0; entered < 25; entered += 1) {
      const person = await newPerson();
      expect(await enter(person.email, PASSWORD, address)).toMatchObject({ signedIn: true });
    }
  });
});

describe("a person an identity provider vouches for", () => {
  test("is signed in by their email, without a password", async () => {
    const person = await newStaff(mine.id, "viewer");
    const token = await signInVouched(testDatabase().db, person.email.toUpperCase(), newRequest());
    const reply = await call("GET /cards", { headers: await toHeaders(token ?? "") });
    expect(reply.status).toBe(200);
    expect(await auditedOf(person)).toEqual(["staff.signed_in"]);
  });

  test("is refused when the email is unknown or its person was removed", async () => {
    const person = await newStaff(mine.id, "viewer");
    await testDatabase().db.execute(
      sql`update staff set removed_at = clock_timestamp() where id = ${person.id}`,
    );
    for (const email of [person.email, `${newId()}@nobody.example`]) {
      expect(await signInVouched(testDatabase().db, email, newRequest())).toBeUndefined();
    }
  });
});
