import { Webhook } from "standardwebhooks";
import { beforeEach } from "vitest";
import { freezeCard, newCard, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createEndpoint } from "#lib/webhooks/further-endpoints.ts";
import type { FurtherEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { receiverOf, useWorkers } from "./each-worker.ts";
import { notified } from "./notifications.ts";
import type { Received, Receiver } from "./receiver.ts";

/** The integrator of each test. */
export let mine: TestIntegrator;
/** The receiver at its `webhook_url`, and that of the endpoint that `add` makes. */
export let first: Receiver;
export let second: Receiver;

/** Before each test: an integrator, and a receiver for its `webhook_url`. */
export function useTwoReceivers(): void {
  useWorkers();
  beforeEach(prepare);
}

async function prepare(): Promise<void> {
  [first, second] = [await receiverOf(), await receiverOf()];
  mine = await notified(first);
}

export function ask(line: string, body?: unknown): Promise<ApiReply> {
  return call(line, { key: mine.apiKey, body });
}

export async function dataOf(line: string, body?: unknown) {
  return Object((await ask(line, body)).json).data;
}

/** Creates an endpoint at a receiver on this machine, whose address the API would refuse. */
export async function add(made: Partial<FurtherEndpoint> = {}) {
  const { endpoint, secret } = await write(mine, (ctx) =>
    createEndpoint(ctx, {
      webhookUrl: second.url,
      events: ["card.frozen"],
      format: "event",
      headers: {},
      ...made,
    }),
  );
  return { id: endpoint.id, secret };
}

/** Freezes a new card, of which a receiver of everything gets three events. */
export async function freeze(): Promise<void> {
  const { id } = await newCard(mine);
  await write(mine, (ctx) => freezeCard(ctx, id, { reason: null, comment: null }));
}

/** The events that a receiver got. */
export function namesAt({ received }: Receiver): string[] {
  return received.map(({ body }) => String(JSON.parse(body).event)).toSorted();
}

export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const sent = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  try {
    new Webhook(secret).verify(body, Object.fromEntries(sent));
    return true;
  } catch {
    return false;
  }
}
