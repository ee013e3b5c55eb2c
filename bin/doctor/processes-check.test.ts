import { sql } from "drizzle-orm";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { testDatabase, withDatabase } from "#test/database/database.ts";
import { HERE } from "#test/outside/notifications.ts";
import { readEnv } from "#lib/base/env.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { joinInstallation } from "#lib/operator/processes.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { checkEnvironment, checkProcesses } from "./installation-checks.ts";
import type { Finding } from "./finding.ts";

beforeAll(() => requireSameInstallation(testDatabase().db, readEnv({})));

const close = () => Promise.resolve();

function toAccess(db: Db, url = testDatabase().url) {
  return { db, url, ownerUrl: undefined, settings: readEnv({}), close };
}

const examine = () => checkProcesses(toAccess(testDatabase().db));

/** A worker's first and last heartbeat take a moment. */
async function untilStatus(wanted: Finding["status"]): Promise<Finding> {
  const found = await examine();
  if (found.status === wanted) {
    return found;
  }
  await sleep(20);
  return untilStatus(wanted);
}

test("servers without a worker are a problem, with one they are not, and neither is nobody", async () => {
  const { db } = testDatabase();
  expect(await examine()).toMatchObject({
    status: "ok",
    detail: "Running: 0 servers and 0 workers.",
  });
  const server = await joinInstallation(db, "server");
  expect(await examine()).toMatchObject({
    status: "problem",
    detail: "Running: 1 server and 0 workers. Webhooks and mail wait.",
  });
  const worker = startWorker(db, HERE);
  expect(await untilStatus("ok")).toMatchObject({ detail: "Running: 1 server and 1 worker." });
  await worker.stop();
  await untilStatus("problem");
  await server.leave();
});

test("what a migration that is not applied yet adds keeps no check from the others", async () => {
  await withDatabase("migrated", async ({ directUrl, ownerUrl }) => {
    const owner = openDatabase(ownerUrl, { max: 1 });
    await owner.db.execute(sql`alter table installation drop column read_only_by`);
    await owner.close();
    const server = openDatabase(directUrl, { max: 1 });
    expect(await checkEnvironment(toAccess(server.db, directUrl))).toMatchObject({
      status: "skipped",
      detail: "Not checked: this release reads what a migration that is not applied yet adds.",
    });
    await server.close();
  });
});
