import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { BUSY_DIGEST } from "#lib/base/page-failure.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { newPerson } from "#test/scene/staff.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { findPageSession, readAs } from "./page-session.ts";

let session: StaffSession;

beforeAll(async () => {
  const { headers } = await newPerson((await newIntegrator()).id);
  const found = await findPageSession(headers.cookie);
  if (!found) {
    throw new Error("The person is not signed in.");
  }
  session = found;
});

/** Fails as often as this with an error of this code, as the driver or PostgreSQL does, and then answers. */
function failing(times: number, code: string) {
  let attempts = 0;
  return {
    countAttempts: () => attempts,
    read: () => {
      attempts += 1;
      return attempts > times
        ? Promise.resolve("answered")
        : Promise.reject(Object.assign(new Error("failed"), { code }));
    },
  };
}

test("a page's read that finds no database runs again, until there is one", async () => {
  const { read, countAttempts } = failing(2, "ECONNREFUSED");
  expect(await readAs(session, read)).toBe("answered");
  expect(countAttempts()).toBe(3);
});

test("a read that the database has canceled is not sent again", async () => {
  const { read, countAttempts } = failing(1, "57014");
  await expect(readAs(session, read)).rejects.toMatchObject({
    code: "database_unavailable",
    digest: BUSY_DIGEST,
  });
  expect(countAttempts()).toBe(1);
});

test("a page waits longer than a read of the API, and not without end", async () => {
  await withTimeLimits({ read: 1, pageWait: 2_000 }, async () => {
    const waits = (s: number) =>
      readAs(session, ({ db }) => db.execute(sql`select pg_sleep(${s})`));
    await waits(0.1);
    await expect(waits(60)).rejects.toMatchObject({ digest: BUSY_DIGEST });
    const { read, countAttempts } = failing(Infinity, "ECONNREFUSED");
    await expect(readAs(session, read)).rejects.toMatchObject({ digest: BUSY_DIGEST });
    expect(countAttempts()).toBeGreaterThan(1);
  });
});
