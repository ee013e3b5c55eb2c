import postgres from "postgres";
import { expect, test } from "vitest";
import { MIGRATION_APPLICATION } from "./lock-wait.ts";
import { MIGRATION_LOCK, migrate } from "./migrate.ts";
import { writeCards } from "#test/database/card-writer.ts";
import { withDatabase } from "#test/database/database.ts";

function connect(url: string, application = "test"): postgres.Sql {
  return postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: application },
  });
}

test("a server waits while another one builds an index, however long that takes, and says so again and again", async () => {
  await withDatabase("migrated", async ({ ownerUrl }) => {
    const [first, writer] = [connect(ownerUrl, MIGRATION_APPLICATION), connect(ownerUrl)];
    await first`select pg_advisory_lock(${MIGRATION_LOCK})`;
    const written = await writeCards(writer);
    const built = first`create index concurrently cards_next on cards (created_at)`.execute();
    const reported: string[] = [];
    const report = (sentence: string) => reported.push(sentence);
    const migrated = migrate(ownerUrl, undefined, { wait: { timeoutMs: 300, report } });
    // A failure is seen at the end.
    void migrated.catch(() => undefined);
    // Each is a time limit later than the one before.
    await expect.poll(() => reported.length).toBeGreaterThan(3);
    await written.end();
    await built;
    await first.end();
    await migrated;
    for (const sentence of reported) {
      expect(sentence).toMatch(
        /^Another server is migrating the database\. Waiting until it is done: process \d+ \(floatdeck migration, role \w+, active, query: create index concurrently cards_next /u,
      );
    }
    await writer.end();
  });
});

test("a server gives up on another one that keeps the database to itself and does nothing", async () => {
  await withDatabase("migrated", async ({ ownerUrl }) => {
    const hung = connect(ownerUrl, MIGRATION_APPLICATION);
    await hung`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await expect(
      migrate(ownerUrl, undefined, { wait: { timeoutMs: 1_000, report: () => undefined } }),
    ).rejects.toThrow(
      /^The database could not be migrated within 1 s: it is locked by process \d+ \(floatdeck migration, role \w+, idle, /u,
    );
    await hung.end();
  });
});
