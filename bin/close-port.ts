import type { Server } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A server that is never idle closes its port after this long anyway. */
const BUSY_MAX_MS = 2_000;
/** A turn of the event loop that takes longer than this has answered requests. */
const IDLE_TURN_MS = 0.1;

/**
 * Closes a server's port. Closing makes the system reset connections that the server has not accepted yet, and a proxy
 * cannot know that a request on one of them was never read. Each turn of the event loop accepts only a few connections
 * and then answers requests, while more clients connect. So the port closes right after a turn that found no new
 * connection and nothing to do.
 * @returns once the port is closed. `all` resolves when the last connection is.
 */
export async function closePort(
  server: Pick<Server, "close" | "on" | "off">,
): Promise<{ all: Promise<void> }> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  const deadline = performance.now() + BUSY_MAX_MS;
  // This turn may already be past the phase in which the loop accepts connections.
  await nextTurn();
  let isIdle = false;
  while (!isIdle && performance.now() < deadline) {
    const before = { accepted, at: performance.now() };
    await nextTurn();
    isIdle = accepted === before.accepted && performance.now() - before.at < IDLE_TURN_MS;
  }
  server.off("connection", count);
  return { all: new Promise((resolve) => void server.close(() => resolve())) };
}
