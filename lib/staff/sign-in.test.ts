import { sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { enter as enterWith } from "#test/scene/sign-in.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newPerson, newStaff, toHeaders } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import { signInVouched } from "#lib/staff/sign-in.ts";
import type { SignInOutcome } from "#lib/staff/sign-in.ts";

const WRONG = "wrong horse battery";
const REFUSED = { signedIn: false, reason: "refused" };

let mine: TestIntegrator;

beforeAll(async () => {
  mine = await newIntegrator();
});

function enter(email: string, password: string): Promise<SignInOutcome> {
  return enterWith({ email, password });
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

async function auditedOf({ id }: TestStaff): Promise<unknown[]> {
  const rows = await testDatabase().db.execute(sql`
    select action from audit_log where integrator_id = ${mine.id} and target_id = ${id} order by id`);
  return rows.map(({ action }) => action);
}

describe("the right password", () => {
  test("opens a session for that person, in any spelling of the email, and is recorded", async () => {
    const person = await newPerson(mine.id);
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
    const person = await newPerson(mine.id);
    await testDatabase().db.execute(sql`${change} where id = ${person.id}`);
    expect(await enter(person.email, PASSWORD)).toEqual(REFUSED);
  });

  test.each([
    ["changed", "update staff set password_hash = 'another'"],
    ["deleted with the person", "update staff set removed_at = clock_timestamp()"],
  ])("that is %s while it is being checked does not open a session", async (_name, change) => {
    const person = await newPerson(mine.id);
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
  test("takes about as long for an unknown name as for a known one", async () => {
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let sample = 0; sample < 15; sample += 1) {
      const person = await newPerson(mine.id);
      took.known.push(await measure(person.email));
      took.unknown.push(await measure(`${newId()}@nobody.example`));
    }
    const ratio = toMedian(took.known) / toMedian(took.unknown);
    // Without the dummy password hash, the ratio is six or more.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test("for a known name is recorded", async () => {
    const person = await newPerson(mine.id);
    expect(await enter(person.email, WRONG)).toEqual(REFUSED);
    await expect.poll(() => auditedOf(person)).toEqual(["staff.sign_in_refused"]);
  });

  test("with text that no name can contain is an ordinary refusal", async () => {
    expect(await enter("kim\0@example.com", "\0")).toEqual(REFUSED);
  });
});

describe("a person an identity provider vouches for", () => {
  test("is signed in by their email, without a password", async () => {
    const person = await newStaff(mine.id, "viewer");
    const { db } = testDatabase();
    const entered = await signInVouched(db, person.email.toUpperCase(), {
      request: newOrigin(),
      browser: null,
    });
    expect(entered?.staffId).toBe(person.id);
    const reply = await call("GET /cards", { headers: await toHeaders(entered?.token ?? "") });
    expect(reply.status).toBe(200);
    expect(await auditedOf(person)).toEqual(["staff.signed_in"]);
  });

  test("is refused when the email is unknown or its person was removed", async () => {
    const person = await newStaff(mine.id, "viewer");
    await testDatabase().db.execute(
      sql`update staff set removed_at = clock_timestamp() where id = ${person.id}`,
    );
    for (const email of [person.email, `${newId()}@nobody.example`]) {
      expect(
        await signInVouched(testDatabase().db, email, { request: newOrigin(), browser: null }),
      ).toBeUndefined();
    }
  });
});
