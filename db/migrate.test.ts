import { rm } from "node:fs/promises";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { MIGRATION_APPLICATION } from "./lock-wait.ts";
import { migrate, readSchemaState, requireMigrated } from "./migrate.ts";
import { testDatabase, withDatabase } from "#test/database/database.ts";
import { addMigration } from "#test/database/next-version.ts";

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

test("migrating again changes nothing", async () => {
  await withDatabase("migrated", async ({ ownerUrl }) => {
    const owner = connect(ownerUrl);
    const applied = () => owner`select * from drizzle.__drizzle_migrations order by id`;
    const before = await applied();
    await migrate(ownerUrl);
    expect(await applied()).toEqual(before);
    await owner.end();
  });
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

describe("a database that has other migrations than this version", () => {
  test.each([
    [
      "one was edited since",
      "update drizzle.__drizzle_migrations set hash = 'x' where id = 2",
      /^The database has a migration of .+Z that this version does not have or has otherwise\. .+ use an empty database or an empty DATA_DIR\.$/u,
    ],
    [
      "all are from before the first release",
      "update drizzle.__drizzle_migrations set created_at = id",
      /^The database has a migration of 1970-.+ an empty DATA_DIR\.$/u,
    ],
    [
      "one is missing before others",
      "delete from drizzle.__drizzle_migrations where id = 2",
      /^The database lacks the migration of .+Z, although it has later ones/u,
    ],
    [
      "a newer version has changed it",
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9e15)",
      /^The database was set up by a newer version of Floatdeck that this one cannot run beside/u,
    ],
  ])("is refused in one sentence: %s", async (_case, change, sentence) => {
    await withDatabase("migrated", async ({ ownerUrl }) => {
      const owner = connect(ownerUrl);
      await owner.unsafe(change);
      await expect(migrate(ownerUrl)).rejects.toThrow(sentence);
      await expect(requireMigrated(owner)).rejects.toThrow(sentence);
      await owner.end();
    });
  });

  test("is used as it is if a newer version's schema tolerates this one", async () => {
    await withDatabase("migrated", async ({ ownerUrl, url }) => {
      const role = new URL(url).username;
      const owner = connect(ownerUrl);
      const { folder } = addMigration(
        ["CREATE TABLE later (id int)", "ALTER TABLE cards ADD COLUMN later int"],
        "this version",
      );
      await migrate(ownerUrl, { name: role }, { folder });
      await owner`revoke all on later from ${owner(role)}`;
      await owner`alter table later add constraint small check (id < 9) not valid`;
      await owner`drop index cardholders_search`;
      expect(await migrate(ownerUrl, { name: role })).toEqual({ isRestored: false });
      await requireMigrated(owner);
      expect(await readSchemaState(owner)).toMatchObject({ isAhead: true, pending: [] });
      const [row] = await owner`
        select has_table_privilege(${role}, 'later', 'select') as granted,
          (select convalidated from pg_constraint where conname = 'small') as validated,
          to_regclass('cardholders_search')::text as built`;
      expect(row).toEqual({ granted: false, validated: false, built: null });
      await Promise.all([owner.end(), rm(folder, { recursive: true })]);
    });
  });

  test("is refused if it comes from another cluster, whose order of events only the newer version may continue", async () => {
    await withDatabase("migrated", async ({ ownerUrl }) => {
      const owner = connect(ownerUrl);
      const { folder } = addMigration(["CREATE TABLE later (id int)"], "this version");
      await migrate(ownerUrl, undefined, { folder });
      await owner`update feed_marks set xid = '1'`;
      await expect(migrate(ownerUrl)).rejects.toThrow(
        /^This database was restored or copied from another cluster, and a newer version has migrated it;/u,
      );
      await Promise.all([owner.end(), rm(folder, { recursive: true })]);
    });
  });
});

describe("a migration that another session blocks", () => {
  test("ends with a sentence that names the session", async () => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const holder = connect(ownerUrl, "nightly dump");
      const [row] = await holder`select pg_advisory_lock(7203118), pg_backend_pid() as pid`;
      await expect(
        migrate(ownerUrl, undefined, { wait: { timeoutMs: 500, report: () => undefined } }),
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
      await migrate(ownerUrl, undefined, { wait: { timeoutMs: 25_000, report } });
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
