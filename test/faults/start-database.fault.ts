import path from "node:path";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { prepareHome } from "#db/embedded-home.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { MIGRATION_LOCK } from "#db/migrate.ts";
import { toBundle } from "../../bin/bundle.mjs";
import { credit, newClient } from "./load.ts";
import { controlDatabase, waitUntilReady } from "./rig.ts";
import {
  place,
  postmasterOf,
  run,
  serve,
  startDatabase,
  stop,
  toEnvironment,
  useStarts,
} from "./starts.ts";

useStarts();

test("a database that dies while server and worker start is waited for", async () => {
  const database = await startDatabase();
  const home = prepareHome(path.join(place, "database"));
  const first = await serve("one", toEnvironment(database));
  await waitUntilReady(first);
  await stop(first.child);
  const hold = await holdStarts(database);
  const server = await serve("one", toEnvironment(database));
  const worker = await run(
    [toBundle("worker.ts")],
    path.join(place, "two"),
    toEnvironment(database),
  );
  await expect.poll(server.log).toContain(`process ${hold.pid}`);
  await expect.poll(hold.countWaiting).toBe(1);
  controlDatabase({ home }, "stop", "-m", "immediate");
  await hold.end();
  for (const { log } of [server, worker]) {
    await expect.poll(log).toContain("The database does not answer (");
  }
  controlDatabase({ home }, "restart");
  await waitUntilReady(server);
  await expect.poll(worker.log).toContain("Sending notifications.");
});

/** Lets no server come further than its migration, and no worker further than its first look at the installation. */
async function holdStarts({ ownerUrl }: EmbeddedDatabase) {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const held = await sql.reserve();
  await held`begin`;
  await held`lock table installation`;
  const [row] = await held`select pg_advisory_lock(${MIGRATION_LOCK}), pg_backend_pid() as pid`;
  return {
    pid: Number(row?.["pid"]),
    countWaiting: async () => {
      const [waiting] = await held`
        select count(*)::int as count from pg_locks where not granted and relation = 'installation'::regclass`;
      return Number(waiting?.["count"]);
    },
    end: () => sql.end({ timeout: 0 }),
  };
}

const SEEN = { timeout: 60_000, interval: 1 };

/** A server whose PostgreSQL was killed before it was ready. Where that moment was missed, the next server has another. */
async function killStarting() {
  const killed: number[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const server = await serve(`data-${attempt}`);
    await vi.waitFor(() => {
      const pid = postmasterOf(server);
      expect(pid).toBeGreaterThan(0);
      if (postmasterOf(server, "ready") === 0) {
        killed.push(pid);
        process.kill(pid, "SIGKILL");
      }
    }, SEEN);
    if (killed.length > 0) {
      return { server, killed };
    }
  }
}

test("an embedded PostgreSQL that is killed while its server starts comes back, and so does the server", async () => {
  const { server, killed } = await killStarting();
  await vi.waitFor(() => {
    const pid = postmasterOf(server, "ready");
    expect(pid).toBeGreaterThan(0);
    expect(killed).not.toContain(pid);
    killed.push(pid);
    process.kill(pid, "SIGKILL");
  }, SEEN);
  await waitUntilReady(server);
  const client = await newClient(server);
  expect(await credit(server, client, "after")).toMatchObject({ status: 200 });
  expect(killed).not.toContain(postmasterOf(server));
});
