import { answer, startReceiver } from "#test/outside/receiver.ts";
import { checkHistory } from "#test/torture/checker.ts";
import { Customer } from "#test/torture/customer.ts";
import { PausableWorkload } from "#test/torture/pausable-workload.ts";
import { newHistory } from "#test/torture/history.ts";
import type { History } from "#test/torture/history.ts";
import type { Members } from "#test/torture/members.ts";
import { findCrashes, waitUntilDelivered } from "#test/torture/end-of-run.ts";
import { readTotals } from "#test/torture/totals.ts";

/** How many requests each customer sends at a time. */
const PROGRAMS = 4;

/** What the customers of a run were answered, and what the checker says of it. */
export interface Verdict {
  history: History;
  /** The broken guarantees; none when all of them held. */
  violations: string[];
}

/** Who works during a run. */
interface Workload {
  seed: number;
  /** For each customer, the numbers of the servers that it knows. */
  customers: readonly (readonly number[])[];
}

/** Lets customers work until `disturb` is done, and then compares what they saw with what is there. */
export async function workDuring(
  cluster: Members & { ownerUrl: string },
  workload: Workload,
  disturb: (history: History) => Promise<void>,
): Promise<Verdict> {
  const receiver = await startReceiver(answer(204));
  const history = newHistory();
  const steps = new PausableWorkload();
  let isOver = false;
  try {
    const customers = await createCustomers(cluster, workload, {
      history,
      webhookUrl: receiver.url,
    });
    history.integratorIds = customers.map(({ integratorId }) => integratorId);
    const programs = customers.flatMap((customer) =>
      Array.from({ length: PROGRAMS }, () => customer.work(() => isOver, steps)),
    );
    const reader = readTotals(cluster, history, () => isOver);
    await disturb(history);
    isOver = true;
    await Promise.all([...programs, reader]);
    await cluster.ready();
    await waitUntilDelivered(cluster);
    history.delivered = new Set(
      receiver.received.map(({ headers }) => String(headers["webhook-id"])),
    );
    const violations = [
      ...findCrashes(cluster),
      ...(await checkHistory(history, cluster.ownerUrl)),
    ];
    return { history, violations };
  } finally {
    isOver = true;
    await receiver.stop();
  }
}

async function createCustomers(
  { servers, processorKey }: Members,
  { seed, customers }: Workload,
  { history, webhookUrl }: { history: History; webhookUrl: string },
): Promise<Customer[]> {
  const created: Customer[] = [];
  for (const known of customers) {
    const baseUrls = servers.flatMap(({ baseUrl }, number) =>
      known.includes(number) ? [baseUrl] : [],
    );
    const place = { baseUrls, processorKey, webhookUrl };
    created.push(await Customer.create(place, { seed: seed + created.length + 1, history }));
  }
  return created;
}
