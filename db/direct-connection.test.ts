import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { requireDirectConnection, requireUsableConnection } from "./direct-connection.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  findPgBouncer,
  GUIDE_SETTINGS,
  setRoleLimits,
  startPgBouncer,
} from "#test/database/pgbouncer.ts";
import type { PgBouncer } from "#test/database/pgbouncer.ts";
import { startPooler } from "#test/database/pooler.ts";

test("PostgreSQL itself is a direct connection", async () => {
  const { directUrl } = testDatabase();
  await expect(requireDirectConnection(directUrl, "DATABASE_URL")).resolves.toBeUndefined();
  expect(await requireUsableConnection(directUrl, "DATABASE_URL")).toEqual({ isPooled: false });
});

test.each(["require", "verify-full"])(
  "a database without TLS is named as the reason why sslmode=%s fails, and what to change",
  async (sslmode) => {
    const url = new URL(testDatabase().directUrl);
    url.searchParams.set("sslmode", sslmode);
    await expect(requireUsableConnection(url.href, "DATABASE_URL")).rejects.toThrow(
      /^The sslmode of DATABASE_URL asks for TLS, which the database that it leads to does not offer\. /u,
    );
  },
);

test("two clients that share a session reveal a pooler, reported in one sentence", async () => {
  const pooler = await startPooler(testDatabase().directUrl);
  await expect(requireDirectConnection(pooler.url, "DATABASE_MIGRATION_URL")).rejects.toThrow(
    /^DATABASE_MIGRATION_URL leads through a connection pooler in transaction mode, such as PgBouncer, /u,
  );
  await expect(requireUsableConnection(pooler.url, "DATABASE_URL")).rejects.toThrow(OUTDATED);
  await pooler.close();
});

const OUTDATED =
  /^DATABASE_URL leads through a connection pooler in transaction mode that loses prepared statements, such as PgBouncer before 1\.21\. /u;

const installed = findPgBouncer("pgbouncer");
const older = installed?.keepsStatements === false ? installed : undefined;
const found = findPgBouncer();
const newer = found?.keepsStatements ? found : undefined;

if (!older) {
  process.stdout.write(
    "No PgBouncer before 1.21 is installed (Debian 12 has one): its refusal is not tested.\n",
  );
}
if (!newer) {
  process.stdout.write(
    "No PgBouncer 1.21 or newer: set PGBOUNCER to its path. Its tests are skipped.\n",
  );
}

const IGNORED = [
  "pool_mode = transaction",
  "ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,default_transaction_isolation,default_transaction_read_only",
];

describe.skipIf(!older)("behind a PgBouncer that loses prepared statements", () => {
  test.each([0, 1])(
    "its version is the reason for the refusal, with round robin %i",
    async (robin) => {
      const settings = [...IGNORED, `server_round_robin = ${robin}`];
      expect(await refusalBehind(older, settings)).toMatch(OUTDATED);
    },
  );

  test.each(["transaction", "session"])(
    "so are the settings that it refuses in %s mode",
    async (mode) => {
      expect(await refusalBehind(older, [`pool_mode = ${mode}`])).toMatch(
        /^DATABASE_URL leads through a connection pooler, such as PgBouncer, that refuses Floatdeck's settings \(unsupported startup parameter: \w+\)\. Use PgBouncer 1\.21 or newer/u,
      );
    },
  );
});

describe.skipIf(!newer)("behind PgBouncer 1.21 or newer", () => {
  test.each([
    ["transaction", true],
    ["session", false],
  ])(
    "configured as documented, in %s mode, with the limits on the role, a server can use the connection",
    async (mode, isPooled) => {
      await withLimitsOnRole(async () => {
        const settings = changed("pool_mode", mode);
        await behind(newer, settings, async (url) => {
          expect(await requireUsableConnection(url, "DATABASE_URL")).toEqual({ isPooled });
        });
      });
    },
  );

  test("in transaction mode, migrations and notifications cannot use it", async () => {
    await withLimitsOnRole(async () => {
      await behind(newer, GUIDE_SETTINGS, async (url) => {
        await expect(requireDirectConnection(url, "DATABASE_LISTEN_URL")).rejects.toThrow(
          /^DATABASE_LISTEN_URL leads through a connection pooler in transaction mode/u,
        );
      });
    });
  });

  test("without the limits on the role, the refusal says how to set them", async () => {
    const role = new URL(testDatabase().url).username;
    await withoutLimitsOnRole(async () => {
      expect(await refusalBehind(newer, GUIDE_SETTINGS)).toBe(
        `DATABASE_URL leads through a connection pooler that drops Floatdeck's limits (statement_timeout, idle_in_transaction_session_timeout). Set them on the role, and let the pooler reconnect: alter role "${role}" set statement_timeout = '4500'; alter role "${role}" set idle_in_transaction_session_timeout = '10000';`,
      );
    });
  });

  test.each([
    ["max_prepared_statements", "0", OUTDATED],
    ["default_pool_size", "1", /^The connection pooler has only one session to give\./u],
    [
      "track_extra_parameters",
      "IntervalStyle",
      /refuses Floatdeck's settings \(unsupported startup parameter: default_transaction_read_only\)/u,
    ],
  ])("with %s = %s, it is refused in one sentence", async (name, value, sentence) => {
    await withLimitsOnRole(async () => {
      expect(await refusalBehind(newer, changed(name, value))).toMatch(sentence);
    });
  });

  test("when it ignores that reads are read-only, it is refused in one sentence", async () => {
    await withLimitsOnRole(async () => {
      expect(await refusalBehind(newer, [...IGNORED, "max_prepared_statements = 200"])).toMatch(
        /^DATABASE_URL leads through a connection pooler that drops Floatdeck's default_transaction_read_only, so that reads could write\./u,
      );
    });
  });
});

/** The documented settings, but for one. */
function changed(name: string, value: string): string[] {
  return GUIDE_SETTINGS.map((line) => (line.startsWith(`${name} =`) ? `${name} = ${value}` : line));
}

async function behind(
  pgbouncer: PgBouncer | undefined,
  settings: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (!pgbouncer) {
    throw new Error("There is no PgBouncer.");
  }
  const { directUrl } = testDatabase();
  const running = await startPgBouncer(pgbouncer, directUrl, settings);
  try {
    await work(running.through(directUrl));
  } finally {
    await running.stop();
  }
}

async function refusalBehind(
  pgbouncer: PgBouncer | undefined,
  settings: readonly string[],
): Promise<string> {
  let refusal = "";
  await behind(pgbouncer, settings, async (url) => {
    await requireUsableConnection(url, "DATABASE_URL").catch((error: Error) => {
      refusal = error.message;
    });
  });
  return refusal;
}

/** Sets them in this file's database only, because other files share the role. */
async function withLimitsOnRole(work: () => Promise<void>): Promise<void> {
  const { directUrl, name } = testDatabase();
  await setRoleLimits(directUrl, name);
  await work().finally(() => alterRole("reset all"));
}

/** In this file's database, whatever the role has elsewhere. */
async function withoutLimitsOnRole(work: () => Promise<void>): Promise<void> {
  await alterRole("set statement_timeout = 0");
  await alterRole("set idle_in_transaction_session_timeout = 0");
  await work().finally(() => alterRole("reset all"));
}

async function alterRole(change: string): Promise<void> {
  const { ownerUrl, directUrl, name } = testDatabase();
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(`alter role "${new URL(directUrl).username}" in database "${name}" ${change}`);
  await owner.end();
}
