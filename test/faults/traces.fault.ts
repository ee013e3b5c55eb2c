import { once } from "node:events";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startCollector } from "#test/outside/collector.ts";
import type { Collector } from "#test/outside/collector.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { startWorkerRig } from "./worker-rig.ts";
import type { WorkerRig } from "./worker-rig.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

let rig: WorkerRig;
let collector: Collector;
let receiver: Receiver;

beforeEach(async () => {
  rig = await startWorkerRig();
  collector = await startCollector();
  receiver = await startReceiver(answer(200));
});

afterEach(async () => {
  await rig.stop();
  await collector.stop();
  await receiver.stop();
});

/** Something to send that a traced request of another process has caused. */
async function record(): Promise<void> {
  const tenant = await rig.newTenant(receiver.url);
  await rig.record(tenant, 1);
  await rig.db.execute(sql`
    update webhook_deliveries set traceparent = ${`00-${TRACE}-${PARENT}-01`}
    where endpoint_id = ${tenant}`);
}

async function startTracedWorker() {
  return rig.startWorker({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    WEBHOOK_LOOPBACK: "on",
  });
}

test("a worker continues the trace of a request that another process answered", async () => {
  await record();
  const worker = await startTracedWorker();
  const [span] = await collector.waitFor("webhook");
  expect(span).toMatchObject({
    traceId: TRACE,
    parentId: PARENT,
    resource: { "service.name": "floatdeck", "floatdeck.process": "worker" },
  });
  const [received] = await receiver.waitFor(1);
  expect(received?.headers["traceparent"]).toBe(`00-${TRACE}-${span?.id}-01`);
  worker.kill("SIGTERM");
  await once(worker, "exit");
});

test("a worker whose collector hangs sends as ever, and ends within seconds", async () => {
  collector.behave(() => undefined);
  await record();
  const worker = await startTracedWorker();
  await receiver.waitFor(1);
  await collector.waitFor("webhook");
  const gone = once(worker, "exit");
  const stopped = performance.now();
  worker.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
  // Two seconds for the collector. The exporter itself would wait for ten.
  expect(performance.now() - stopped).toBeLessThan(8_000);
});
