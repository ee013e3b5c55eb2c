import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withDatabase } from "#test/database/database.ts";
import type { TestDatabase } from "#test/database/database.ts";
import { runCommand } from "./floatdeck-cli.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import type { CommandExit } from "./floatdeck-cli.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "floatdeck-demo-reset-"));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const WHO = [
  ["business-name", "Quay & Co"],
  ["business-address", "1 Quay"],
  ["contact-number", "+15550100"],
  ["country", "US"],
  ["domain", "quay.example"],
  ["email", "owner@quay.example"],
  ["first-name", "Ada"],
  ["last-name", "Winter"],
  ["registration-number", "12345"],
].flatMap(([name, value]) => [`--${name}`, value ?? ""]);

interface Installation extends TestDatabase {
  floatdeck: (...args: string[]) => Promise<CommandExit>;
  ask: (statement: string) => Promise<Record<string, unknown>[]>;
}

/** An installation that a server has set up and served. */
async function onInstallation(
  environment: "sandbox" | "live",
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  await withDatabase("migrated", async (created) => {
    const variables = {
      DATABASE_URL: created.directUrl,
      DATABASE_MIGRATION_URL: created.ownerUrl,
      DATA_DIR: dataDir,
      FLOATDECK_ENV: environment,
      PUBLIC_URL: "https://cards.example.com",
      FLOATDECK_SECRET: "a secret for nothing but this test run",
    };
    const ask = async (statement: string) => {
      const client = postgres(created.ownerUrl, { max: 1, onnotice: () => undefined });
      try {
        return await client.unsafe(statement);
      } finally {
        await client.end();
      }
    };
    const floatdeck = (...args: string[]) => runCommand(args, variables);
    await floatdeck("integrator", "create", ...WHO);
    await floatdeck("processor-key", "create", "--name", "Network");
    await ask("update installation set public_url = 'https://cards.example.com'");
    await work({ ...created, floatdeck, ask });
  });
}

const NAMES = "select business_name from integrators order by 1";

describe("demo reset", () => {
  test("empties a sandbox, whatever is in it, and makes a demo whose credentials it prints and keeps; the new tables are guarded as everywhere", async () => {
    await onInstallation("sandbox", async ({ floatdeck, ask, url }) => {
      const first = await floatdeck("demo", "reset", "--yes", "--json");
      expect(first).toMatchObject({ code: 0, err: "" });
      expect(JSON.parse(first.out)).toMatchObject({ contents: "the integrator Quay & Co" });
      const second = await floatdeck("demo", "reset", "--yes");
      expect(second).toMatchObject({ code: 0, err: "" });
      expect(await ask(NAMES)).toEqual([{ business_name: "Harbour & Finch" }]);
      expect(await ask("select from api_keys where integrator_id is null")).toHaveLength(0);
      const file = path.join(dataDir, "demo.json");
      const kept = JSON.parse(readFileSync(file, "utf8"));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(second.out).toContain(kept.apiKey);
      expect(second.out).toContain(kept.password);
      expect(await ask("select id from integrators")).toEqual([{ id: kept.integratorId }]);
      expect(JSON.parse(first.out).integratorId).not.toBe(kept.integratorId);
      expect(await floatdeck("verify")).toMatchObject({ code: 0 });
      await expect(ask("truncate transfers cascade")).rejects.toThrow(/append.only/iu);
      const server = postgres(url, { max: 1 });
      await expect(server`delete from events`).rejects.toThrow(/permission denied/u);
      await server.end();
    });
  }, 120_000);

  test("says what it would remove, and removes nothing, without --yes", async () => {
    await onInstallation("sandbox", async ({ floatdeck, ask }) => {
      const asked = await floatdeck("demo", "reset");
      expect(asked).toMatchObject({ code: 1, err: "" });
      expect(asked.out).toBe(
        "This removes everything in this sandbox: the integrator Quay & Co, and all cards, transactions, people, keys, and logs.\nNothing was removed. To remove it, add --yes.\n",
      );
      expect(await ask(NAMES)).toEqual([{ business_name: "Quay & Co" }]);
    });
  });

  test("is refused while a server uses the database, and says what to do", async () => {
    await onInstallation("sandbox", async ({ floatdeck, ask, url }) => {
      const server = postgres(url, { max: 1 });
      await server`select 1`;
      const refused = await withTimeLimits({ closedSessions: 200 }, () =>
        floatdeck("demo", "reset", "--yes"),
      );
      expect(refused).toEqual({
        code: 1,
        out: "",
        err: "floatdeck: The database is in use by 1 other session. Stop every server and worker of this installation, then try again. Nothing was removed.\n",
      });
      await server.end();
      expect(await ask(NAMES)).toEqual([{ business_name: "Quay & Co" }]);
    });
  });

  test("is refused in live", async () => {
    await onInstallation("live", async ({ floatdeck, ask }) => {
      expect(await floatdeck("demo", "reset", "--yes")).toEqual({
        code: 1,
        out: "",
        err: "floatdeck: A live installation is never emptied: demo reset is for sandboxes.\n",
      });
      expect(await ask(NAMES)).toEqual([{ business_name: "Quay & Co" }]);
      expect(existsSync(path.join(dataDir, "demo.json"))).toBe(false);
    });
  });
});
