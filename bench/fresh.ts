import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createFixture } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";
import { driveHttp } from "./http-load.ts";
import { summarize } from "./measure.ts";
import type { Sample, Summary } from "./measure.ts";
import { toCreditOnce } from "./requests.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { serveProduct, setStage } from "./stage.ts";
import type { Served } from "./stage.ts";

/** The cases that need a new database, by their names in the report. */
export const FRESH = "credit, fresh database";
export const ANALYZED = "credit, the same analyzed";
export const NOTIFICATIONS = "notifications to a receiver that takes 300 ms";

const CLIENTS = 64;
const ANSWER_MS = 300;
/** The sender raises its concurrency toward a new receiver step by step; this is long enough to reach the maximum. */
const GROWING_MS = 3_000;
/** A new server is slower until V8 has compiled what it runs often, whatever the age of its database. */
const WARMING_MS = 3_000;

/** Measures what depends on the age of a database, on this many fresh data directories. */
export async function measureFresh(
  { directories, durationMs }: { directories: number; durationMs: number },
  say: (text: string) => void,
): Promise<Record<string, Summary>> {
  const samples: Record<string, Sample[]> = { [FRESH]: [], [ANALYZED]: [], [NOTIFICATIONS]: [] };
  for (let directory = 1; directory <= directories; directory += 1) {
    say(`Fresh data directory ${directory} of ${directories} …`);
    for (const [name, sample] of Object.entries(await measureOne(durationMs))) {
      samples[name]?.push(sample);
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, taken]) => [name, summarize(taken)]),
  );
}

async function measureOne(durationMs: number): Promise<Record<string, Sample>> {
  const stage = await setStage();
  try {
    const product = await serveProduct(stage, "a");
    try {
      // Few cards and little history, created while the server has its connections open.
      const fixture = await createFixture(stage, { cards: 100, transactionsPerCard: 1 });
      const load = { clients: CLIENTS, durationMs };
      await driveHttp(product, { ...load, durationMs: WARMING_MS }, () => toCreditOnce(fixture));
      const fresh = await driveHttp(product, load, () => toCreditOnce(fixture));
      await vacuumAnalyze(stage.database);
      const analyzed = await driveHttp(product, load, () => toCreditOnce(fixture));
      const notified = await driveNotifications(product, fixture, durationMs);
      return { [FRESH]: fresh, [ANALYZED]: analyzed, [NOTIFICATIONS]: notified };
    } finally {
      await product.stop();
    }
  } finally {
    await stage.destroy();
  }
}

/** Sends a backlog to a healthy receiver and counts arrivals. The latencies are the receiver's own response times. */
async function driveNotifications(
  product: Served,
  fixture: Fixture,
  durationMs: number,
): Promise<Sample> {
  const arrivals: number[] = [];
  const receiver = createServer((request, response) => {
    arrivals.push(performance.now());
    request.resume();
    setTimeout(() => response.end(), ANSWER_MS);
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  if (address === null || typeof address === "string") {
    throw new Error("The receiver has no port.");
  }
  try {
    const answer = await fetch(`http://127.0.0.1:${product.port}/api/card-integrators/update`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${fixture.apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ webhook_url: `http://127.0.0.1:${address.port}/` }),
    });
    if (answer.status !== 200) {
      throw new Error(`The receiver was refused: ${await answer.text()}`);
    }
    await driveHttp(product, { clients: CLIENTS, durationMs: GROWING_MS }, () =>
      toCreditOnce(fixture),
    );
    const cpuBefore = product.cpuSeconds();
    const begun = performance.now();
    await sleep(Math.min(durationMs, 5_000));
    const seconds = (performance.now() - begun) / 1_000;
    const counted = arrivals.filter((at) => at >= begun).length;
    return {
      seconds,
      latencies: Array.from({ length: counted }, () => ANSWER_MS),
      failures: 0,
      cpuSeconds: product.cpuSeconds() - cpuBefore,
      memoryBytes: product.memoryBytes(),
    };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}
