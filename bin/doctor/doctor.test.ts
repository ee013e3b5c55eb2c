import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, describe, expect, test, vi } from "vitest";
import { testDatabase, withDatabase } from "#test/database/database.ts";
import type { TestDatabase } from "#test/database/database.ts";
import { notified } from "#test/outside/notifications.ts";
import { startPooler } from "#test/database/pooler.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import { readEnv } from "#lib/base/env.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { openDatabase } from "#db/client.ts";
import { runCommand } from "../floatdeck-cli.ts";
import type { NamedFinding } from "./finding.ts";

const SECRET = "a secret for nothing but this test run";
const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-doctor-"));
const NOWHERE = "postgres://nobody:x@127.0.0.1:41099/none";
/** Refuses connections at once; nothing leaves this machine. */
const CLOSED_PORT = "http://127.0.0.1:41098";
const SETTINGS = { FLOATDECK_SECRET: SECRET, DATA_DIR: folder, PORT: new URL(CLOSED_PORT).port };

afterAll(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command, and reads what it found, by the names of the checks. */
async function examine(environment: Record<string, string>, egressUrl = CLOSED_PORT) {
  const { code, out, err } = await runCommand(["doctor", "--json", "--egress-url", egressUrl], {
    ...SETTINGS,
    ...environment,
  });
  expect(err).toBe("");
  const { ok, checks }: { ok: boolean; checks: NamedFinding[] } = JSON.parse(out);
  expect(ok).toBe(code === 0);
  const byName = new Map(checks.map((check) => [check.name, check]));
  return { code, checks: Object.fromEntries(byName) };
}

function toUrls({ directUrl, ownerUrl }: TestDatabase) {
  return { DATABASE_URL: directUrl, DATABASE_MIGRATION_URL: ownerUrl };
}

/** Runs work on an installation of its own, started once. */
function withInstallation<T>(work: (created: TestDatabase) => Promise<T>): Promise<T> {
  return withDatabase("migrated", async (created) => {
    const opened = openDatabase(created.directUrl, { max: 1 });
    await requireSameInstallation(opened.db, readEnv({}));
    await opened.close();
    return work(created);
  });
}

async function asOwner({ ownerUrl }: TestDatabase, statement: string): Promise<void> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(statement).finally(() => owner.end());
}

/** The finding of one check once the owner has run this statement. */
async function findAfter(statement: string, name: string): Promise<NamedFinding | undefined> {
  return withInstallation(async (created) => {
    await asOwner(created, statement);
    const { code, checks } = await examine(toUrls(created));
    expect(code).toBe(checks[name]?.status === "problem" ? 1 : 0);
    return checks[name];
  });
}

test("an installation in order passes every check, for people and for programs", async () => {
  const receiver = await startReceiver();
  const { name, url } = testDatabase();
  await requireSameInstallation(testDatabase().db, readEnv({}));
  await notified(receiver);
  const environment = { ...SETTINGS, ...toUrls(testDatabase()) };
  const { code, checks } = await examine(environment, receiver.url);
  const words = ["doctor", "--egress-url", receiver.url];
  const { out } = await runCommand(words, environment);
  expect(Object.values(checks).filter(({ status }) => status !== "ok")).toEqual([]);
  expect(code).toBe(0);
  expect(checks["database"]?.detail).toBe(
    `The database "${name}" answers the role "${new URL(url).username}".`,
  );
  expect(checks["secret"]?.detail).toMatch(/^FLOATDECK_SECRET opens the \d+ newest/u);
  expect(out.split("\n").slice(0, -2).filter(Boolean)).toHaveLength(Object.keys(checks).length);
  expect(out).toMatch(/\nEverything is in order\.\n$/u);
  // It connected twice, and sent nothing.
  expect([receiver.connections(), receiver.received]).toEqual([2, []]);
  await receiver.stop();
});

describe("settings", () => {
  test("that are not valid are named, and every other check is reported as not made", async () => {
    const { code, checks } = await examine({ PORT: "none", DATABASE_URL: NOWHERE });
    const { configuration, release, ...others } = checks;
    expect([code, release?.status]).toEqual([1, "ok"]);
    expect(configuration).toMatchObject({
      status: "problem",
      detail: "PORT must be a port number, 1 to 65535.",
    });
    expect(Object.keys(others)).toContain("database");
    expect(new Set(Object.values(others).map(({ status }) => status))).toEqual(
      new Set(["skipped"]),
    );
  });

  test("that a live server lacks are a problem, and the other checks are made", async () => {
    const { code, checks } = await examine({ FLOATDECK_ENV: "live", ...toUrls(testDatabase()) });
    expect(code).toBe(1);
    expect(checks["configuration"]?.detail).toContain("PUBLIC_URL must be set to an https URL");
    expect(checks["version"]?.status).toBe("ok");
  });
});

describe("the database", () => {
  test("that is down is reported, and every check that needs it as not made", async () => {
    const { code, checks } = await examine({ DATABASE_URL: NOWHERE });
    expect(code).toBe(1);
    expect(checks["database"]?.status).toBe("problem");
    expect(checks["database"]?.detail).toContain("ECONNREFUSED");
    expect(checks["migrations"]?.detail).toBe("Not checked: the database cannot be reached.");
    expect([checks["configuration"]?.status, checks["disk"]?.status]).toEqual(["ok", "ok"]);
  });

  test("behind a pooler that swaps sessions is a problem", async () => {
    const pooler = await startPooler(testDatabase().directUrl);
    const { checks } = await examine({ DATABASE_URL: pooler.url });
    await pooler.close();
    expect(checks["database"]).toMatchObject({ status: "problem" });
    expect(checks["database"]?.detail).toContain("DATABASE_URL leads through a connection pooler");
  });

  test("that is read-only is a problem", async () => {
    await withInstallation(async (created) => {
      const statement = `alter database ${created.name} set default_transaction_read_only = on`;
      await asOwner(created, statement);
      const { checks } = await examine(toUrls(created));
      expect(checks["database"]).toMatchObject({ status: "problem" });
      expect(checks["database"]?.detail).toContain("it is read-only");
    });
  });

  test("without tables is no problem: the first start creates everything", async () => {
    await withDatabase("nothing", async (created) => {
      const { code, checks } = await examine(toUrls(created));
      expect(code).toBe(0);
      expect(checks["migrations"]?.detail).toMatch(/^\d+ migrations are not applied\.$/u);
      expect(checks["extensions"]?.action).toContain("that creates them");
      expect(checks["migrations"]?.status).toBe("warning");
      expect(checks["extensions"]?.status).toBe("warning");
      expect([checks["environment"]?.status, checks["secret"]?.status]).toEqual([
        "skipped",
        "skipped",
      ]);
    });
  });

  test("that is embedded and does not exist yet is not created", async () => {
    const dataDir = path.join(folder, "absent");
    const { code, checks } = await examine({ DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(checks["database"]?.detail).toContain("the first start creates it");
    expect(() => writeFileSync(path.join(dataDir, "x"), "")).toThrow("ENOENT");
  });
});

describe("the roles", () => {
  test("a server's role that owns the tables may rewrite history, which is a warning", async () => {
    const { ownerUrl } = testDatabase();
    const { checks } = await examine({ DATABASE_URL: ownerUrl });
    expect(checks["role"]).toMatchObject({ status: "warning" });
    expect(checks["role"]?.detail).toMatch(/is a superuser|may (?:delete|update) /u);
    expect(checks["owner"]?.status).toBe("ok");
  });

  test("a server's role that lacks a right is a problem", async () => {
    const role = new URL(testDatabase().url).username;
    expect(await findAfter(`revoke insert on transfers from ${role}`, "role")).toMatchObject({
      status: "problem",
      detail: `The role "${role}" lacks rights: insert transfers.`,
    });
  });

  test("the restricted role alone is in order: it tells whether migrations are missing", async () => {
    const { code, checks } = await examine({ DATABASE_URL: testDatabase().directUrl });
    expect(code).toBe(0);
    expect(checks["owner"]).toMatchObject({ status: "ok" });
    expect(checks["owner"]?.detail).toContain("only uses the tables");
    expect(checks["migrations"]?.status).toBe("ok");
  });

  test("an owner that cannot connect, or is another database's, is a problem", async () => {
    const { directUrl: url } = testDatabase();
    const away = await examine({ DATABASE_URL: url, DATABASE_MIGRATION_URL: NOWHERE });
    expect(away.checks["owner"]).toMatchObject({ status: "problem" });
    expect(away.checks["owner"]?.detail).toContain("DATABASE_MIGRATION_URL cannot be reached");
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const { checks } = await examine({ DATABASE_URL: url, DATABASE_MIGRATION_URL: ownerUrl });
      expect(checks["owner"]).toMatchObject({
        status: "problem",
        detail: "DATABASE_URL and DATABASE_MIGRATION_URL name different databases.",
      });
    });
  });
});

describe("the schema", () => {
  test("a missing extension is a problem", async () => {
    expect(await findAfter("drop extension btree_gin cascade", "extensions")).toMatchObject({
      status: "problem",
      detail: "The extension btree_gin is not created in this database.",
    });
  });

  test("a migration that is not applied, and one that this version does not know", async () => {
    const newest = "(select max(created_at) from drizzle.__drizzle_migrations)";
    const missing = `delete from drizzle.__drizzle_migrations where created_at = ${newest}`;
    expect(await findAfter(missing, "migrations")).toMatchObject({
      status: "warning",
      detail: "1 migration is not applied.",
    });
    const unknown = `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', ${newest} + 1)`;
    expect(await findAfter(unknown, "migrations")).toMatchObject({
      status: "problem",
      action: expect.stringMatching(/^The database was set up by a newer version/u),
    });
  });

  test("an index that is not built yet is a warning", async () => {
    const found = await findAfter("drop index cards_metadata", "migrations");
    expect(found).toMatchObject({
      status: "warning",
      detail: "These indexes are not built yet: cards_metadata.",
    });
  });
});

describe("the installation", () => {
  test("of another environment is a problem", async () => {
    const live = { FLOATDECK_ENV: "live", PUBLIC_URL: "https://cards.example" };
    await withInstallation(async (created) => {
      const { checks } = await examine({ ...toUrls(created), ...live });
      expect(checks["environment"]).toMatchObject({ status: "problem" });
      expect(checks["environment"]?.detail).toContain("belongs to a sandbox installation");
      // A live server that cannot reach receivers is a problem too; a sandbox gets a warning.
      expect(checks["egress"]?.status).toBe("problem");
    });
  });

  test("with another secret is a problem, and so is a sealed value that does not open", async () => {
    expect(await findAfter("update installation set secret_check = 'x'", "secret")).toMatchObject({
      status: "problem",
      detail: expect.stringContaining("lacks a secret that this database still needs"),
    });
    await withInstallation(async (created) => {
      await asOwner(created, UNREADABLE);
      const { code, checks } = await examine(toUrls(created));
      expect(code).toBe(1);
      expect(checks["secret"]).toMatchObject({
        status: "problem",
        detail: expect.stringContaining("1 of the 1 newest sealed values do not open"),
      });
    });
  });
});

/** A signing secret that nobody sealed. */
const UNREADABLE = `
  set session_replication_role = replica;
  insert into webhook_endpoints (id, integrator_id, secret) select id, id, repeat('x', 80) from gen_random_uuid() id`;

test("a clock that is off is a warning", async () => {
  const [now, startedAt] = [Date.now.bind(Date), performance.now()];
  const ahead = vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
  const clock = (await examine(toUrls(testDatabase()))).checks["clock"];
  ahead.mockRestore();
  expect(clock?.status).toBe("warning");
  const aheadS = Number(/clock is (\d+\.\d) s ahead of/u.exec(clock?.detail ?? "")?.[1]);
  // What it is ahead for certain: the answer may have taken all of that time.
  expect(Math.abs(60 - aheadS)).toBeLessThan((performance.now() - startedAt) / 1_000 + 0.1);
});

describe("this machine", () => {
  test("webhooks that cannot leave a sandbox are a warning that says what was tried", async () => {
    const { checks } = await examine(toUrls(testDatabase()));
    expect(checks["egress"]).toMatchObject({ status: "warning" });
    expect(checks["egress"]?.detail).toMatch(
      /^Tried to open a connection to http:\/\/127\.0\.0\.1:41098, without sending anything: .*ECONNREFUSED/u,
    );
  });

  test("a DATA_DIR that cannot be written to is a problem", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const { checks } = await examine({ ...toUrls(testDatabase()), DATA_DIR: file });
    expect(checks["disk"]).toMatchObject({ status: "problem" });
    expect(checks["disk"]?.detail).toContain("is not a directory");
  });
});
