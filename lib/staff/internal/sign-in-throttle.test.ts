import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { enter as enterWith, remember } from "#test/scene/sign-in.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newPerson } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import type { KnownBrowser, SignInOutcome } from "#lib/staff/sign-in.ts";
import { toDelayS } from "#lib/staff/internal/sign-in-throttle.ts";

const WRONG = "wrong horse battery";
const REFUSED = { signedIn: false, reason: "refused" };

let integratorId: string;

beforeAll(async () => {
  ({ id: integratorId } = await newIntegrator());
});

/** From an address of its own and an unknown browser, unless others are given. */
function enter(
  email: string,
  password: string,
  from: { address?: string; browser?: KnownBrowser } = {},
): Promise<SignInOutcome> {
  return enterWith({ email, password, ...from });
}

/** Moves all failures of an address further into the past. */
async function wait(seconds: number): Promise<void> {
  await testDatabase().db.execute(
    sql`update sign_in_failures set created_at = created_at - make_interval(secs => ${seconds})`,
  );
}

async function fail(email: string, times: number, address: string = newId()): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    expect(await enter(email, WRONG, { address })).toMatchObject({ signedIn: false });
  }
}

/** As many failures from one address as make the wait the longest. */
async function lockOut(email: string, address: string): Promise<void> {
  await remember(email, 15, address);
  expect(toWaitS(await enter(email, PASSWORD, { address }))).toBeGreaterThan(800);
}

/** The wait that was imposed. */
function toWaitS(outcome: SignInOutcome): number {
  expect(outcome).toMatchObject({ signedIn: false, reason: "throttled" });
  return "waitS" in outcome ? outcome.waitS : 0;
}

describe("a wait", () => {
  test("is the same for a known and an unknown name", async () => {
    const person = await newPerson(integratorId);
    for (const email of [person.email, `${newId()}@nobody.example`]) {
      const address = newId();
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await enter(email, WRONG, { address })).toEqual(REFUSED);
      }
      await remember(email, 10, address);
      for (const password of [WRONG, PASSWORD]) {
        const waitS = toWaitS(await enter(email, password, { address }));
        // 900 s after this many failures, minus the duration of this test.
        expect(waitS).toBeGreaterThan(800);
        expect(waitS).toBeLessThanOrEqual(900);
      }
    }
  });
});

describe("failures of one name from one address", () => {
  test("cost nothing up to the fifth; then the wait doubles from one second to fifteen minutes", () => {
    const delays = Array.from({ length: 18 }, (_, failures) => toDelayS(failures));
    expect(delays).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    expect(toDelayS(2_000)).toBe(900);
  });

  test("below five cost nothing", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    await fail(person.email, 4, address);
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });

  test("refuse even the right password until the wait is over", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    await fail(person.email, 5, address);
    await remember(person.email, 5, address);
    const waitS = toWaitS(await enter(person.email, PASSWORD, { address }));
    expect(waitS).toBeLessThanOrEqual(32);
    await wait(waitS - 10);
    const restS = toWaitS(await enter(person.email, PASSWORD, { address }));
    expect(restS).toBeLessThanOrEqual(10);
    await wait(restS);
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });

  test("do not increase with attempts refused during the wait", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    await fail(person.email, 5, address);
    await remember(person.email, 5, address);
    const waitS = toWaitS(await enter(person.email, WRONG, { address }));
    await fail(person.email, 40, address);
    await wait(waitS);
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });

  test("are forgotten after a success", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    await fail(person.email, 4, address);
    await enter(person.email, PASSWORD, { address });
    await fail(person.email, 4, address);
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });

  test("are at most five of fifty concurrent attempts", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    const started = performance.now();
    const attempts = Array.from({ length: 50 }, () => enter(person.email, WRONG, { address }));
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
    const [person, other, address] = [
      await newPerson(integratorId),
      await newPerson(integratorId),
      newId(),
    ];
    await fail(other.email, 6, address);
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });
});

describe("failures of one name from a stranger's address", () => {
  test("do not delay another address", async () => {
    const person = await newPerson(integratorId);
    await lockOut(person.email, newId());
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });

  test("do not delay the other networks of one IPv6 provider, but the whole network of one subscriber", async () => {
    const person = await newPerson(integratorId);
    await lockOut(person.email, "2001:db8:0:1::1");
    expect(await enter(person.email, PASSWORD, { address: "2001:db8:0:1::2" })).toMatchObject({
      reason: "throttled",
    });
    expect(await enter(person.email, PASSWORD, { address: "2001:db8:0:2::1" })).toMatchObject({
      signedIn: true,
    });
  });

  test("do not delay a browser with which the person has signed in before, even at that address", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    const browser = { id: newId(), people: [newId(), person.id] };
    await lockOut(person.email, address);
    expect(await enter(person.email, PASSWORD, { address, browser })).toMatchObject({
      signedIn: true,
    });
  });

  test("are forgotten neither by a success elsewhere, nor by that of a known browser", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    await lockOut(person.email, address);
    await enter(person.email, PASSWORD);
    await enter(person.email, PASSWORD, { browser: { id: newId(), people: [person.id] } });
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ reason: "throttled" });
  });

  test("are at most sixty an hour from all of them together, which delay only strangers", async () => {
    const [person, home] = [await newPerson(integratorId), newId()];
    const browser = { id: newId(), people: [person.id] };
    expect(await enter(person.email, PASSWORD, { address: home })).toMatchObject({
      signedIn: true,
    });
    await remember(person.email, 59);
    await fail(person.email, 1);
    const waitS = toWaitS(await enter(person.email, PASSWORD));
    expect(waitS).toBeGreaterThan(59 * 60);
    expect(waitS).toBeLessThanOrEqual(60 * 60);
    expect(await enter(person.email, PASSWORD, { address: home })).toMatchObject({
      signedIn: true,
    });
    expect(await enter(person.email, PASSWORD, { browser })).toMatchObject({ signedIn: true });
    await wait(waitS);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
  });

  test("are not joined by failures of known addresses and browsers", async () => {
    const [person, home] = [await newPerson(integratorId), newId()];
    const browser = { id: newId(), people: [person.id] };
    await enter(person.email, PASSWORD, { address: home });
    await remember(person.email, 58);
    await fail(person.email, 2, home);
    await enter(person.email, WRONG, { browser });
    expect(await enter(person.email, WRONG)).toEqual(REFUSED);
  });

  test("are limited alike for an unknown name", async () => {
    const email = `${newId()}@nobody.example`;
    await remember(email, 60);
    expect(toWaitS(await enter(email, PASSWORD))).toBeGreaterThan(59 * 60);
  });
});

describe("a browser with which a person has signed in before", () => {
  test("has a budget of its own: after five failures, the right password must wait there only", async () => {
    const [person, address] = [await newPerson(integratorId), newId()];
    const browser = { id: newId(), people: [person.id] };
    for (let failed = 0; failed < 5; failed += 1) {
      expect(await enter(person.email, WRONG, { browser })).toEqual(REFUSED);
    }
    await enter(person.email, WRONG, { address, browser });
    expect(await enter(person.email, PASSWORD, { address, browser })).toMatchObject({
      reason: "throttled",
    });
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });

  test("is a stranger's for anyone else's name", async () => {
    const [person, other, address] = [
      await newPerson(integratorId),
      await newPerson(integratorId),
      newId(),
    ];
    await lockOut(person.email, address);
    const browser = { id: newId(), people: [other.id] };
    expect(await enter(person.email, PASSWORD, { address, browser })).toMatchObject({
      reason: "throttled",
    });
  });
});

describe("failures from one address", () => {
  test("are limited to twenty within ten minutes, for any names; then even the right password must wait", async () => {
    const person = await newPerson(integratorId);
    const address = newId();
    for (let failed = 0; failed < 18; failed += 1) {
      await remember(`${newId()}@nobody.example`, 1, address);
    }
    for (let failed = 0; failed < 2; failed += 1) {
      expect(await enter(`${newId()}@nobody.example`, WRONG, { address })).toEqual(REFUSED);
    }
    const waitS = toWaitS(await enter(person.email, PASSWORD, { address }));
    expect(waitS).toBeGreaterThan(9 * 60);
    expect(waitS).toBeLessThanOrEqual(10 * 60);
    expect(await enter(person.email, PASSWORD)).toMatchObject({ signedIn: true });
    await wait(9 * 60);
    const restS = toWaitS(await enter(person.email, PASSWORD, { address }));
    expect(restS).toBeLessThanOrEqual(60);
    await wait(restS);
    expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
  });

  test("are limited to twenty even when sixty names are tried at once", async () => {
    const address = newId();
    const attempts = Array.from({ length: 60 }, () =>
      enter(`${newId()}@nobody.example`, WRONG, { address }),
    );
    await Promise.allSettled(attempts);
    const rows = await testDatabase().db.execute(
      sql`select 1 from sign_in_failures where address = ${address}`,
    );
    expect(rows).toHaveLength(20);
  });

  test("do not include successful sign-ins", async () => {
    const address = newId();
    for (let entered = 0; entered < 21; entered += 1) {
      const person = await newPerson(integratorId);
      expect(await enter(person.email, PASSWORD, { address })).toMatchObject({ signedIn: true });
    }
  });
});
