import { answer, startReceiver } from "#test/outside/receiver.ts";
import { checkHistory } from "./checker.ts";
import { Customer } from "./customer.ts";
import { PausableWorkload } from "./pausable-workload.ts";
import { newHistory } from "./history.ts";
import type { History } from "./history.ts";
import type { Member, Members } from "./members.ts";
import { findCrashes, waitUntilDelivered } from "./end-of-run.ts";
import { readTotals } from "./totals.ts";

/** How many requests each customer sends at a time. */
const PROGRAMS = 4;

/** What the customers of a run were answered, and what the checker says of it. */
export interface Verdict {
  history: History;
  /** The broken guarantees; none when all of them held. */
  violations: string[];
}

/** The servers that customers work on, and their database. */
export interface Place extends Pick<Members, "processorKey" | "log" | "ready"> {
  servers: readonly Pick<Member, "baseUrl">[];
  ownerUrl: string;
}

/** Who works during a run. */
interface Workload {
  seed: number;
  /** For each customer, the numbers of the servers that it knows. */
  customers: readonly (readonly number[])[];
}

/** Lets customers work until `disturb` is done, and then compares what they saw with what is there. */
export async function workDuring(
  place: Place,
  workload: Workload,
  disturb: (history: History) => Promise<void>,
): Promise<Verdict> {
  const receiver = await startReceiver(answer(204));
  const history = newHistory();
  const steps = new PausableWorkload();
  let isOver = false;
  try {
    const customers = await createCustomers(place, workload, {
      history,
      webhookUrl: receiver.url,
    });
    history.integratorIds = customers.map(({ integratorId }) => integratorId);
    const programs = customers.flatMap((customer) =>
      Array.from({ length: PROGRAMS }, () => customer.work(() => isOver, steps)),
    );
    const reader = readTotals(place, history, () => isOver);
    await disturb(history);
    isOver = true;
    await Promise.all([...programs, reader]);
    await place.ready();
    await waitUntilDelivered(place);
    history.delivered = new Set(
      receiver.received.map(({ headers }) => String(headers["webhook-id"])),
    );
    const violations = [...findCrashes(place), ...(await checkHistory(history, place.ownerUrl))];
    return { history, violations };
  } finally {
    isOver = true;
    await receiver.stop();
  }
}

async function createCustomers(
  { servers, processorKey }: Place,
  { seed, customers }: Workload,
  { history, webhookUrl }: { history: History; webhookUrl: string },
): Promise<Customer[]> {
  const created: Customer[] = [];
  for (const numbers of customers) {
    const baseUrls = servers.flatMap(({ baseUrl }, number) =>
      numbers.includes(number) ? [baseUrl] : [],
    );
    const known = { baseUrls, processorKey, webhookUrl };
    created.push(await Customer.create(known, { seed: seed + created.length + 1, history }));
  }
  return created;
}
