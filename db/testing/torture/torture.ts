import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { answer, startReceiver } from "../receiver.ts";
import { checkHistory } from "./checker.ts";
import { startCluster } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { Customer } from "./customer.ts";
import { inflict } from "./faults.ts";
import type { History } from "./history.ts";
import { isAcknowledged } from "./history.ts";
import { toSchedule } from "./schedule.ts";

const CUSTOMERS = 3;
const PROGRAMS = 4;
const READER_PAUSE_MS = 500;
/** Only ends a run in which notifications are lost, which the checker then reports. */
const DELIVERED_MS = 60_000;
const LINES_MAX = 3;
const LINE_MAX = 200;
const SETTLE_MS = 2_000;

/** What a run found. */
export interface Outcome {
  requests: number;
  acknowledged: number;
  repeats: number;
  delivered: number;
  faults: string[];
  /** The broken guarantees; none when all of them held. */
  violations: string[];
}

/**
 * Lets customers work on three servers and two workers while processes are killed and frozen, connections cut, the disk
 * filled, and clocks advanced, and then compares what they saw with what is there. The seed decides the schedule and what
 * each customer does; only how fast each of them is differs between runs.
 */
export async function torture(
  { seed, durationMs }: { seed: number; durationMs: number },
  say: (text: string) => void,
): Promise<Outcome> {
  const receiver = await startReceiver(answer(204));
  const cluster = await startCluster();
  const history: History = {
    requests: [],
    delivered: new Set(),
    wrongTotals: [],
    integratorIds: [],
  };
  try {
    const baseUrls = cluster.servers.map(({ baseUrl }) => baseUrl);
    const place = { baseUrls, processorKey: cluster.processorKey, webhookUrl: receiver.url };
    const customers: Customer[] = [];
    for (let number = 1; number <= CUSTOMERS; number += 1) {
      customers.push(await Customer.create(place, { seed: seed + number, history }));
    }
    history.integratorIds = customers.map(({ integratorId }) => integratorId);
    say(`${CUSTOMERS} customers on ${baseUrls.length} servers; seed ${seed}`);
    let isOver = false;
    const programs = customers.flatMap((customer) =>
      Array.from({ length: PROGRAMS }, () => customer.work(() => isOver)),
    );
    const reader = readTotals(cluster, history, () => isOver);
    const faults = await inflictAll(cluster, { seed, durationMs, customers, say });
    isOver = true;
    await Promise.all([...programs, reader]);
    await cluster.ready();
    await waitUntilDelivered(cluster);
    history.delivered = new Set(
      receiver.received.map(({ headers }) => String(headers["webhook-id"])),
    );
    return {
      requests: history.requests.length,
      acknowledged: history.requests.filter(isAcknowledged).length,
      repeats: history.requests.reduce((sum, { attempts }) => sum + attempts - 1, 0),
      delivered: history.delivered.size,
      faults,
      violations: [...findCrashes(cluster), ...(await checkHistory(history, cluster.ownerUrl))],
    };
  } finally {
    await cluster.stop();
    await receiver.stop();
  }
}

/** Whatever a process did not expect, whether it ended or went on. */
function findCrashes(cluster: Cluster): string[] {
  const lines = cluster.log().match(/^.*failed unexpectedly.*$/gmu) ?? [];
  return lines
    .slice(0, LINES_MAX)
    .map((line) => `nothing fails unexpectedly: ${line.slice(0, LINE_MAX)}`);
}

async function inflictAll(
  cluster: Cluster,
  run: { seed: number; durationMs: number; customers: Customer[]; say: (text: string) => void },
): Promise<string[]> {
  const startedAt = performance.now();
  const done: string[] = [];
  for (const fault of toSchedule(run.seed, run.durationMs)) {
    await sleep(Math.max(0, startedAt + fault.atMs - performance.now()));
    const told = `${(fault.atMs / 1_000).toFixed(1)} s: ${fault.kind} ${fault.number}, ${fault.lastsMs} ms`;
    run.say(told);
    done.push(told);
    await inflict(cluster, fault, async () => {
      await Promise.all(run.customers.map((customer) => customer.jump()));
    });
  }
  // What the last fault interrupted goes on for a moment.
  await sleep(Math.max(SETTLE_MS, startedAt + run.durationMs - performance.now()));
  return done;
}

/**
 * Reads without a pause what each integrator has, in one snapshot: money only moves within it, except through the bank and
 * the network.
 */
async function readTotals(
  { ownerUrl }: Cluster,
  history: History,
  isOver: () => boolean,
): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    while (!isOver()) {
      // While the database is down, there is nothing to read.
      const wrong = await readWrongTotals(sql).catch(() => []);
      history.wrongTotals.push(...wrong);
      await sleep(READER_PAUSE_MS);
    }
  } finally {
    await sql.end();
  }
}

async function readWrongTotals(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string; off: number }[]>`
    with outside as (
      select integrator_id, sum(case when kind = 'card_purchase' then -amount else amount end) as amount from transfers
      where kind in ('float_top_up', 'card_purchase', 'card_refund') group by integrator_id
    )
    select a.integrator_id as id, (sum(a.balance) - coalesce(max(o.amount), 0))::float8 as off
    from ledger_accounts a left join outside o using (integrator_id)
    where a.balance is not null group by a.integrator_id
    having sum(a.balance) <> coalesce(max(o.amount), 0)`;
  return rows.map(({ id, off }) => `integrator ${id} had ${off} too much`);
}

async function waitUntilDelivered({ ownerUrl }: Cluster): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const deadline = performance.now() + DELIVERED_MS;
  try {
    while (performance.now() < deadline) {
      const [row] =
        await sql`select count(*)::int as waiting from webhook_deliveries where state <> 'delivered'`;
      if (row?.["waiting"] === 0) {
        return;
      }
      await sleep(200);
    }
  } finally {
    await sql.end();
  }
}
