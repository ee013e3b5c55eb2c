import { afterAll, beforeAll } from "vitest";
import { startWorker } from "#lib/webhooks/worker.ts";
import type { RunningWorker } from "#lib/webhooks/worker.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { testDatabase } from "./database.ts";
import { newCard } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { HERE, notified } from "./notifications.ts";
import { startReceiver } from "./receiver.ts";
import type { Receiver } from "./receiver.ts";

/** This file's integrator, which has a card and whose receiver has been notified of it. */
export let integrator: TestIntegrator;
export let receiver: Receiver;
export let cardId: string;
/** With which its notifications are signed. */
export let secret: string;

let worker: RunningWorker;

/** Gives this file an integrator that is notified, by a worker of its own. */
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
