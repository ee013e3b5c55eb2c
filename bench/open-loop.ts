import { setTimeout as sleep } from "node:timers/promises";
import { converse } from "./http-load.ts";
import type { Sample } from "./measure.ts";

/** Requests at a fixed rate, each from an address of the loopback network. */
export interface Probe {
  name: string;
  perSecond: number;
  next(): { request: Buffer; from?: string };
}

/** What a connection that broke counts as. */
const BROKEN = 0;

/**
 * Sends each request when it is due, over a connection of its own, whether or not earlier ones have been answered. A
 * latency counts from the moment when the request was due, so a server that stops for a while cannot hide it. Resolves
 * when all are answered; an answer other than 2xx, and a connection that breaks, is a failure.
 */
export async function driveAtRate(
  { port }: { port: number },
  probe: Probe,
  durationMs: number,
): Promise<Sample> {
  const started = performance.now();
  const latencies: number[] = [];
  const statuses: number[] = [];
  const send = async (dueAt: number) => {
    const { request, from } = probe.next();
    const status = await ask({ port, from }, request);
    latencies.push(performance.now() - dueAt);
    statuses.push(status);
  };
  const { perSecond } = probe;
  const sent: Promise<void>[] = [];
  const count = Math.floor((durationMs / 1_000) * perSecond);
  for (let index = 0; index < count; index += 1) {
    const dueAt = started + (index * 1_000) / perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    sent.push(send(dueAt));
  }
  await Promise.all(sent);
  return {
    seconds: (performance.now() - started) / 1_000,
    latencies,
    failures: statuses.filter((status) => status < 200 || status > 299).length,
    unavailable: statuses.filter((status) => status === 503).length,
    cpuSeconds: 0,
    memoryBytes: 0,
  };
}

async function ask(route: { port: number; from: string | undefined }, request: Buffer) {
  const requests = [request];
  let answered = BROKEN;
  try {
    await converse(route, {
      next: () => requests.pop(),
      note: (status) => {
        answered = status;
      },
    });
  } catch {
    // What the server answered before the connection broke counts.
  }
  return answered;
}
