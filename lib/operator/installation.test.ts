import postgres from "postgres";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testDatabase, withDatabase } from "#test/database/database.ts";
import type { TestDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { readEnv } from "#lib/base/env.ts";
import { keepPublicUrl, requireSameInstallation } from "#lib/operator/installation.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";

const SANDBOX = readEnv({});
const LIVE = readEnv({
  FLOATDECK_ENV: "live",
  DATABASE_URL: "postgres://a@b/c",
  FLOATDECK_SECRET: "a secret that only this test run uses",
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Runs work with a separate installation, before its first start. */
function withInstallation<T>(work: (db: Db, created: TestDatabase) => Promise<T>): Promise<T> {
  return withDatabase("migrated", async (created) => {
    const opened = openDatabase(created.url, { max: 2 });
    try {
      return await work(opened.db, created);
    } finally {
      await opened.close();
    }
  });
}

async function asOwner(
  { ownerUrl }: TestDatabase,
  work: (owner: postgres.Sql) => Promise<unknown>,
): Promise<string> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await work(owner);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await owner.end();
  }
}

function insertIntegrator(owner: postgres.Sql, environment: string) {
  return owner`
    insert into integrators (id, business_name, business_address, domain, email, first_name, last_name,
      contact_number, country, registration_number, currency, environment, api_version)
    values (gen_random_uuid(), '', '', '', '', '', '', '', 'US', '', 'USD', ${environment}, '0.5.0')`;
}

test("a database starts again with its first secret, and with another one is refused with one sentence", async () => {
  const { db } = testDatabase();
  await requireSameInstallation(db, SANDBOX);
  await requireSameInstallation(db, SANDBOX);
  vi.stubEnv("FLOATDECK_SECRET", "another secret for tests that is long enough");
  vi.resetModules();
  const other = await import("#lib/operator/installation.ts");
  await expect(other.requireSameInstallation(db, SANDBOX)).rejects.toThrow(
    /^FLOATDECK_SECRET lacks a secret that this database still needs \(fingerprint [0-9a-f]{8}\): [^.]+\. Add it to the end of the list\.$/u,
  );
  vi.unstubAllEnvs();
  await requireSameInstallation(db, SANDBOX);
});

test("a server with another secret cannot read this one's sessions", async () => {
  const { db } = testDatabase();
  const person = await newStaff((await newIntegrator()).id, "viewer");
  const { cookie } = person.headers;
  const own = await import("#lib/auth/session.ts");
  expect(await own.findSessionByCookies(db, cookie)).toMatchObject({ email: person.email });
  vi.stubEnv("FLOATDECK_SECRET", "another secret for tests that is long enough");
  vi.resetModules();
  const other = await import("#lib/auth/session.ts");
  expect(await other.findSessionByCookies(db, cookie)).toBeUndefined();
});

test("a server that lists this one's secret second reads its sessions, and signs people in with the first", async () => {
  const { db } = testDatabase();
  const person = await newStaff((await newIntegrator()).id, "viewer");
  const { cookie } = person.headers;
  const own = await import("#lib/auth/session.ts");
  const [ownSecret] = own.sessionSecrets();
  vi.stubEnv(
    "FLOATDECK_SECRET",
    `another secret for tests that is long enough,${process.env["FLOATDECK_SECRET"]}`,
  );
  vi.resetModules();
  const other = await import("#lib/auth/session.ts");
  expect(await other.findSessionByCookies(db, cookie)).toMatchObject({ email: person.email });
  const token = { sessionToken: "x" };
  const fresh = await other.encodeSession({ token, secret: ownSecret });
  expect(await other.decodeSession({ token: fresh })).toMatchObject(token);
  expect(await own.decodeSession({ token: fresh })).toBeNull();
});

describe("the environment of an installation", () => {
  test.each([
    [SANDBOX, LIVE, "sandbox installation, and FLOATDECK_ENV is live; set FLOATDECK_ENV=sandbox"],
    [
      LIVE,
      SANDBOX,
      "live installation, and FLOATDECK_ENV is sandbox (the default); set FLOATDECK_ENV=live",
    ],
  ])("is set by its first start, and a start in the other one is refused", async (...given) => {
    const [first, second, sentence] = given;
    await withInstallation(async (db) => {
      const { installationId } = await requireSameInstallation(db, first);
      await expect(requireSameInstallation(db, second)).rejects.toThrow(
        `This database belongs to a ${sentence}, or name another database.`,
      );
      expect(await requireSameInstallation(db, first)).toMatchObject({ installationId });
    });
  });

  test("has its cell with it", async () => {
    const second = readEnv({ FLOATDECK_CELL: "2" });
    await withInstallation(async (db) => {
      await requireSameInstallation(db, second);
      await expect(requireSameInstallation(db, SANDBOX)).rejects.toThrow(
        "This database belongs to cell 2, and FLOATDECK_CELL is 1 (the default); set FLOATDECK_CELL=2, or name another database.",
      );
      expect(await requireSameInstallation(db, second)).toMatchObject({ cell: 2 });
    });
    await withInstallation(async (db) => {
      await requireSameInstallation(db, SANDBOX);
      await expect(requireSameInstallation(db, second)).rejects.toThrow(
        "This database belongs to cell 1, and FLOATDECK_CELL is 2; set FLOATDECK_CELL=1, or name another database.",
      );
    });
  });

  test.each([
    [["live"], LIVE, SANDBOX],
    [["sandbox"], SANDBOX, LIVE],
    [["sandbox", "live"], LIVE, SANDBOX],
  ])("is that of its integrators (%o) when none was stored", async (...given) => {
    const [environments, own, other] = given;
    await withInstallation(async (db, created) => {
      await asOwner(created, async (owner) => {
        for (const environment of environments) {
          await insertIntegrator(owner, environment);
        }
      });
      await expect(requireSameInstallation(db, other)).rejects.toThrow(
        /^This database belongs to/u,
      );
      await requireSameInstallation(db, own);
    });
  });

  test("is enforced by the database itself, for its row and its integrators", async () => {
    await withInstallation(async (db, created) => {
      await requireSameInstallation(db, LIVE);
      const attack = (work: (owner: postgres.Sql) => Promise<unknown>) => asOwner(created, work);
      const kept = /^installation_identity/u;
      expect(
        await attack((owner) => owner`update installation set environment = 'sandbox'`),
      ).toMatch(kept);
      expect(await attack((owner) => owner`update installation set cell = 2`)).toMatch(kept);
      expect(
        await attack((owner) => owner`update installation set installation_id = gen_random_uuid()`),
      ).toMatch(kept);
      expect(await attack((owner) => owner`delete from installation`)).toMatch(kept);
      const own = /^integrators_environment/u;
      expect(await attack((owner) => insertIntegrator(owner, "sandbox"))).toMatch(own);
      expect(await attack((owner) => insertIntegrator(owner, "live"))).toBe("accepted");
      expect(
        await attack((owner) => owner`update integrators set environment = 'sandbox'`),
      ).toMatch(own);
    });
  });

  test("of a database that no server has set up is reported in one sentence", async () => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const opened = openDatabase(ownerUrl, { max: 1 });
      await expect(requireSameInstallation(opened.db, SANDBOX)).rejects.toThrow(
        /^This database is not set up, or was set up by an older version; start/u,
      );
      await opened.close();
    });
  });
});

test("a process without a public address uses the one of the last server", async () => {
  await withInstallation(async (db) => {
    await requireSameInstallation(db, SANDBOX);
    await keepPublicUrl(db, readEnv({ PUBLIC_URL: "https://cards.example.com/" }));
    expect(await requireSameInstallation(db, SANDBOX)).toMatchObject({
      publicUrl: "https://cards.example.com",
    });
  });
});
