import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { withDatabase } from "#test/database/database.ts";
import { requireDirectConnection } from "#db/direct-connection.ts";
import { waitForLocks } from "#db/lock-wait.ts";
import { findPgBouncer, setRoleLimits, startPgBouncer } from "#test/database/pgbouncer.ts";
import { readEnv } from "#lib/base/env.ts";
import { prepareOwnDatabase, requireListenUrl, toSetUpError, waitForRoom } from "./own-database.ts";
import { timeLimit } from "#db/time-limits.ts";

async function asOwner(ownerUrl: string, statement: string): Promise<void> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(statement);
  await owner.end();
}

const silent = () => undefined;

describe("an error about a database that cannot be set up says what to do", () => {
  test("by a restricted role only", async () => {
    await withDatabase("nothing", async ({ directUrl: databaseUrl }) => {
      const prepared = prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: undefined }, silent);
      await expect(prepared).rejects.toThrow(
        /^The role of DATABASE_URL may not set the database up \(permission denied for database \w+\); set DATABASE_MIGRATION_URL to the role that owns/u,
      );
    });
  });

  test.each([
    [
      "behind",
      "delete from drizzle.__drizzle_migrations",
      /^The tables are \d+ migrations behind/u,
    ],
    [
      "ahead",
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9e15)",
      /newer version of Floatdeck/u,
    ],
    [
      "restored beside",
      "update feed_marks set xid = '1'",
      /^This database was restored or copied/u,
    ],
  ])("by a restricted role only, with tables %s this version", async (_name, change, sentence) => {
    await withDatabase("migrated", async ({ directUrl: databaseUrl, ownerUrl }) => {
      await asOwner(ownerUrl, change);
      const prepared = prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: undefined }, silent);
      await expect(prepared).rejects.toThrow(sentence);
    });
  });

  test("by a role for migrations that does not own the tables", async () => {
    await withDatabase("migrated", async ({ directUrl: databaseUrl }) => {
      const prepared = prepareOwnDatabase(
        { databaseUrl, databaseMigrationUrl: databaseUrl },
        silent,
      );
      await expect(prepared).rejects.toThrow(
        /^The role of DATABASE_MIGRATION_URL may not .*; DATABASE_MIGRATION_URL must name the role that owns/u,
      );
    });
  });

  test("with tables but without the record of its migrations", async () => {
    await withDatabase("migrated", async ({ directUrl: databaseUrl, ownerUrl }) => {
      await asOwner(ownerUrl, "drop schema drizzle cascade");
      const prepared = prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: ownerUrl }, silent);
      await expect(prepared).rejects.toThrow(
        /^The database holds tables of Floatdeck without the record of its migrations, .*\(\w+ "\w+" already exists.*\)\. If it was restored, restore the schema "drizzle" too/u,
      );
    });
  });

  test("that is not the one with the tables", async () => {
    await withDatabase("nothing", async ({ directUrl: databaseUrl }) => {
      await withDatabase("migrated", async ({ ownerUrl: databaseMigrationUrl }) => {
        await expect(
          prepareOwnDatabase({ databaseUrl, databaseMigrationUrl }, silent),
        ).rejects.toThrow("DATABASE_URL and DATABASE_MIGRATION_URL must name the same database.");
      });
    });
  });

  test("that another session locks", async () => {
    await withDatabase("nothing", async ({ ownerUrl: url }) => {
      const holder = postgres(url, { max: 1, connection: { application_name: "nightly dump" } });
      await holder`select pg_advisory_lock(1)`;
      const client = postgres(url, { max: 1, connection: { lock_timeout: 500 } });
      const wait = { timeoutMs: 0, report: silent };
      const locked = await waitForLocks(
        { url, client, wait },
        () => client`select pg_advisory_lock(1)`,
      ).catch((error: unknown) => toSetUpError(error, url));
      expect(locked).toMatchObject({
        message: expect.stringMatching(
          /^The database could not be migrated .* it is locked by process \d+ \(nightly dump/u,
        ),
      });
      await Promise.all([holder.end(), client.end()]);
    });
  });

  test.each([
    ["postgres://nobody:x@127.0.0.1:41099/none", "ECONNREFUSED"],
    ["postgres://nobody@/none?host=/nowhere", "ENOENT"],
  ])("that does not exist: %s", async (databaseUrl, code) => {
    const prepared = prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: undefined }, silent);
    await expect(prepared).rejects.toThrow(
      new Error(`The database of DATABASE_URL cannot be reached (${code}).`),
    );
  });
});

test("the owner and a restricted role set up an empty database", async () => {
  await withDatabase(
    "nothing",
    async ({ directUrl: databaseUrl, ownerUrl: databaseMigrationUrl }) => {
      await prepareOwnDatabase({ databaseUrl, databaseMigrationUrl }, silent);
      await prepareOwnDatabase({ databaseUrl, databaseMigrationUrl }, silent);
      const server = postgres(databaseUrl, { max: 1 });
      expect(await server`select from transfers`).toHaveLength(0);
      await expect(server`delete from transfers`).rejects.toThrow(/^permission denied/u);
      await server.end();
    },
  );
});

test("the restricted role alone starts a server on tables that their owner has migrated", async () => {
  await withDatabase("migrated", async ({ directUrl: databaseUrl }) => {
    const prepared = prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: undefined }, silent);
    expect(await prepared).toEqual({ isRestored: false });
  });
});

test("a server without a free connection reports it once and waits for one", async () => {
  await withDatabase("migrated", async ({ directUrl: url, ownerUrl, name }) => {
    await asOwner(ownerUrl, `alter database ${name} connection limit 0`);
    const reported: string[] = [];
    let freed: Promise<void> | undefined;
    const say = (sentence: string) => {
      reported.push(sentence);
      freed = asOwner(ownerUrl, `alter database ${name} connection limit -1`);
    };
    await waitForRoom(say, () => requireDirectConnection(url, "DATABASE_URL"));
    await freed;
    expect(reported).toEqual([
      `PostgreSQL has no connection left (53300); waiting at most ${timeLimit("freeConnection") / 1_000} s for one …`,
    ]);
  });
});

const pgbouncer = findPgBouncer();

describe.skipIf(!pgbouncer?.keepsStatements)(
  "behind PgBouncer in transaction mode (needs 1.21 or newer; PGBOUNCER names its path)",
  () => {
    test("migrations and notifications take URLs of their own", async () => {
      await withDatabase("migrated", async ({ directUrl, ownerUrl, name }) => {
        await setRoleLimits(directUrl, name);
        const running = pgbouncer && (await startPgBouncer(pgbouncer, directUrl));
        const databaseUrl = running?.through(directUrl) ?? "";
        const listen = (databaseListenUrl: string) =>
          requireListenUrl(
            readEnv({
              DATABASE_URL: databaseUrl,
              DATABASE_LISTEN_URL: databaseListenUrl,
              FLOATDECK_SECRET: "a secret for nothing but this test run",
            }),
          );
        try {
          await expect(
            prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: undefined }, silent),
          ).rejects.toThrow(
            /^DATABASE_URL leads through a connection pooler in transaction mode, .* Set DATABASE_MIGRATION_URL to PostgreSQL itself/u,
          );
          await prepareOwnDatabase({ databaseUrl, databaseMigrationUrl: ownerUrl }, silent);
          await expect(listen("")).rejects.toThrow(
            /^DATABASE_URL leads through a connection pooler in transaction mode, .* Set DATABASE_LISTEN_URL to PostgreSQL itself\.$/u,
          );
          await listen(directUrl);
        } finally {
          await running?.stop();
        }
      });
    });
  },
);
