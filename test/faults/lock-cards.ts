import { setTimeout as sleep } from "node:timers/promises";
import { hold } from "./hold.ts";
import type { Client } from "./load.ts";
import type { AnotherServer, Rig } from "./rig.ts";

/** As clients of one integrator: more than the 512 that the alert allows, and a batch. */
const CREDITS = 1_000;
/** More than the pool has connections. */
const CHANGES = 30;

/**
 * Locks the cards, so that every change of one waits until it gives up, and repeats many changes.
 * @returns the function that ends both.
 */
export async function lockCards(
  rig: Rig,
  { server, client }: { server: AnotherServer; client: Client },
): Promise<{ end(): Promise<void> }> {
  const release = await hold(rig, "lock table cards in access exclusive mode");
  const ended = new AbortController();
  const { cardId, headers } = client;
  const repeat = async (send: () => Promise<Response>) => {
    while (!ended.signal.aborted) {
      await send().then(
        (response) => response.text(),
        () => sleep(100),
      );
    }
  };
  const patch = (at: string, body: unknown) => () =>
    fetch(`${server.baseUrl}${at}`, { method: "PATCH", headers, body: JSON.stringify(body) });
  const clients = [
    ...Array.from({ length: CREDITS }, () =>
      patch("/cards/credit/balance", { card_id: cardId, amount: 1 }),
    ),
    ...Array.from({ length: CHANGES }, () =>
      patch(`/cards/${cardId}`, { metadata: { seen: "yes" } }),
    ),
  ].map(repeat);
  return {
    end: async () => {
      ended.abort();
      release();
      await Promise.all(clients);
    },
  };
}
