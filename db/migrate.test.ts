import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { MIGRATION_APPLICATION } from "./lock-wait.ts";
import { migrate } from "./migrate.ts";
import { testDatabase, withDatabase } from "#test/database/database.ts";

function connect(url: string, application = "test"): postgres.Sql {
  return postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: application },
  });
}

test("a migrated database has validated every foreign key", async () => {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    expect(
      await owner`select conname from pg_constraint
        where connamespace = 'public'::regnamespace and not convalidated`,
    ).toEqual([]);
  } finally {
    await owner.end();
  }
});

test("migrating again changes nothing, and a database from a newer version is refused in one sentence", async () => {
  const { ownerUrl } = testDatabase();
  await migrate(ownerUrl);
  const owner = connect(ownerUrl);
  try {
    await owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', ${Date.now() + 1e9})`;
    await expect(migrate(ownerUrl)).rejects.toThrow(/^The database was set up by a newer version/u);
  } finally {
    await owner.end();
  }
});

test("a role that a migration restricts may create no temporary tables, even if it could before", async () => {
  await withDatabase("migrated", async ({ name, ownerUrl, directUrl }) => {
    const role = new URL(directUrl).username;
    const owner = connect(ownerUrl);
    await owner.unsafe(`grant temporary on database ${name} to public, ${role}`);
    await owner.end();
    await migrate(ownerUrl, { name: role });
    const server = connect(directUrl);
    await expect(server`create temporary table entries (id int)`).rejects.toThrow(
      /^permission denied to create temporary tables/u,
    );
    await server.end();
  });
});

test("a database whose migrations are older than all of this version is refused in one sentence", async () => {
  await withDatabase("migrated", async ({ ownerUrl }) => {
    const owner = connect(ownerUrl);
    await owner`update drizzle.__drizzle_migrations set created_at = id`;
    await owner.end();
    await expect(migrate(ownerUrl)).rejects.toThrow(
      /^The database was set up by an early version/u,
    );
  });
});

describe("a migration that another session blocks", () => {
  test("ends with a sentence that names the session", async () => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const holder = connect(ownerUrl, "nightly dump");
      const [row] = await holder`select pg_advisory_lock(7203118), pg_backend_pid() as pid`;
      await expect(
        migrate(ownerUrl, undefined, { timeoutMs: 500, report: () => undefined }),
      ).rejects.toThrow(
        new RegExp(
          `^The database could not be migrated within 1 s: it is locked by process ${row?.["pid"]} \\(nightly dump, role \\w+, idle, query: select pg_advisory_lock.*\\)\\. End that`,
          "u",
        ),
      );
      await holder.end();
    });
  });

  test("reports which session it is waiting for, and continues once that session is done", async () => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const holder = connect(ownerUrl, "nightly dump");
      await holder`select pg_advisory_lock(7203118)`;
      const reported: string[] = [];
      const report = (sentence: string) => {
        reported.push(sentence);
        void holder.end();
      };
      await migrate(ownerUrl, undefined, { timeoutMs: 25_000, report });
      expect(reported).toEqual([
        expect.stringMatching(/^The migration is waiting for process \d+ \(nightly dump, /u),
      ]);
    });
  });
});

async function isMigrationWaiting(eye: postgres.Sql): Promise<boolean> {
  const waiting = await eye`
    select from pg_stat_activity where datname = current_database()
      and application_name = ${MIGRATION_APPLICATION} and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

test("a table that another session changes meanwhile, such as a server that builds its indexes, is no failure", async () => {
  await withDatabase("migrated", async ({ ownerUrl, url }) => {
    const [other, eye] = [connect(ownerUrl), connect(ownerUrl)];
    const role = new URL(url).username;
    let migrated = Promise.resolve();
    await other.begin(async (tx) => {
      // A grant changes the row that describes the table, and so does an index that is built.
      await tx`grant select on cards to ${tx(role)}`;
      migrated = migrate(ownerUrl, { name: role }).then(() => undefined);
      await expect
        .poll(() => isMigrationWaiting(eye), { interval: 10, timeout: 20_000 })
        .toBe(true);
    });
    await migrated;
    await Promise.all([other.end(), eye.end()]);
  });
});
