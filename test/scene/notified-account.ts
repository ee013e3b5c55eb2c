import { afterAll, beforeAll } from "vitest";
import { startWorker } from "#lib/webhooks/worker.ts";
import type { RunningWorker } from "#lib/webhooks/worker.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { HERE, notified } from "#test/outside/notifications.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";

/** This file's integrator, with a card whose creation its receiver was notified of. */
export let integrator: TestIntegrator;
export let receiver: Receiver;
export let cardId: string;
/** The secret that signs its notifications. */
export let secret: string;

let worker: RunningWorker;

/** Creates this file's integrator and a worker that notifies it. */
export function useNotifiedAccount(): void {
  beforeAll(async () => {
    worker = startWorker(testDatabase().db, HERE);
    receiver = await startReceiver();
    integrator = await notified(receiver);
    await receiver.waitFor(2);
    cardId = (await newCard(integrator)).id;
    await receiver.waitFor(4);
    const rotated = await ask("POST /webhooks/rotate-secret");
    secret = (rotated.json as { data: { secret: string } }).data.secret;
  });
  afterAll(async () => {
    await receiver.stop();
    await worker.stop();
  });
}

export function ask(
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body, headers });
}

interface Listed {
  data: { id: string; event: string; state: string }[];
  next_cursor: string | null;
}

export async function listed(line: string): Promise<Listed> {
  return (await ask(line)).json as Listed;
}
