import { once } from "node:events";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { staffInvited } from "#lib/messages/kinds/staff-invited.ts";
import { recordMessages } from "#lib/messages/record-messages.ts";
import { stretch } from "#test/run/calibration.ts";
import { inTransaction } from "#db/transaction.ts";
import { startMailServer } from "#test/outside/mail-server.ts";
import type { MailServer } from "#test/outside/mail-server.ts";
import { times } from "./length.ts";
import { startWorkerRig } from "./worker-rig.ts";
import type { WorkerRig } from "./worker-rig.ts";

const KILLS = times({ short: 5, long: 50 });
/** Between two kills, so that each hits a worker amid its work. */
const MESSAGES = 40;
/** How many a worker sends at a time: what a kill may leave unanswered. */
const IN_FLIGHT = 4;

let rig: WorkerRig;
let server: MailServer;
let integratorId: string;

beforeAll(async () => {
  rig = await startWorkerRig();
  server = await startMailServer();
  integratorId = await rig.newTenant("http://127.0.0.1:9/");
});

afterAll(async () => {
  await rig.stop();
  await server.stop();
});

function startWorker() {
  return rig.startWorker({ SMTP_URL: server.url, MAIL_FROM: "cards@example.com" });
}

/** Records messages to people of their own. @returns their addresses. */
async function record(): Promise<string[]> {
  const to = Array.from({ length: MESSAGES }, () => ({
    staffId: null,
    email: `${newId()}@guest.example`,
  }));
  await inTransaction(rig.db, (tx) =>
    recordMessages(tx, integratorId, {
      kind: staffInvited,
      facts: { invitedBy: "Ada Winter", role: "viewer", days: 7, path: "/join#none" },
      aboutId: null,
      to,
    }),
  );
  return to.map(({ email }) => email);
}

/** A claim of a worker that was killed expires by itself, after a minute. */
async function expireClaims(): Promise<void> {
  await rig.db.execute(sql`update messages set due_at = clock_timestamp() where is_claimed`);
}

async function countWaiting(): Promise<number> {
  const [row] = await rig.db.execute<{ waiting: number }>(
    sql`select count(*)::int as waiting from messages where state <> 'sent'`,
  );
  return row?.waiting ?? Number.NaN;
}

test(`${KILLS} times kill -9 of the worker that sends mail: every message arrives, and twice only with its id`, async () => {
  const addresses: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = server.received.length;
    addresses.push(...(await record()));
    const worker = await startWorker();
    await vi.waitUntil(() => server.received.length >= before + IN_FLIGHT, {
      timeout: stretch(20_000),
      interval: 1,
    });
    const gone = once(worker, "exit");
    worker.kill("SIGKILL");
    await gone;
    await expireClaims();
  }
  await startWorker();
  await vi.waitUntil(async () => (await countWaiting()) === 0, { timeout: stretch(60_000) });
  const ids = Map.groupBy(server.received, ({ to }) => to.join());
  expect([...ids.keys()].toSorted()).toEqual(addresses.toSorted());
  const twice = [...ids.values()].filter((copies) => copies.length > 1);
  expect(twice.length).toBeLessThanOrEqual(KILLS * IN_FLIGHT);
  for (const copies of twice) {
    expect(new Set(copies.map(({ raw }) => /^Message-ID: (?<id>.*)$/imu.exec(raw)?.[1])).size).toBe(
      1,
    );
  }
});
