import { afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "#db/testing/database.ts";
import { newIntegrator } from "#db/testing/fixtures.ts";
import { newStaff } from "#db/testing/staff.ts";
import { requireSameSecret } from "#lib/installation.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test("a database is started again with its first secret, and with another one refused in one sentence", async () => {
  const { db } = testDatabase();
  await requireSameSecret(db);
  await requireSameSecret(db);
  vi.stubEnv("FLOATDECK_SECRET", "another secret for tests, long enough too");
  vi.resetModules();
  const other = await import("#lib/installation.ts");
  await expect(other.requireSameSecret(db)).rejects.toThrow(
    /^FLOATDECK_SECRET is not the one that this database was set up with: [^.]+\. Start with the first one\.$/u,
  );
  vi.unstubAllEnvs();
  await requireSameSecret(db);
});

test("a server with another secret reads no session of this one", async () => {
  const { db } = testDatabase();
  const person = await newStaff((await newIntegrator()).id, "viewer");
  const { cookie } = person.headers;
  const own = await import("#lib/auth/session.ts");
  expect(await own.findSessionByCookies(db, cookie)).toMatchObject({ email: person.email });
  vi.stubEnv("FLOATDECK_SECRET", "another secret for tests, long enough too");
  vi.resetModules();
  const other = await import("#lib/auth/session.ts");
  expect(await other.findSessionByCookies(db, cookie)).toBeUndefined();
});
