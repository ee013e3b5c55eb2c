import type { Server } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A turn of the event loop this short had nothing to do. */
const IDLE_MS = 0.2;
/** A server that is never idle closes its port after this long all the same. */
const BUSY_MAX_MS = 2_000;

/**
 * Closes a server's port. The system resets what it has connected and the server has not accepted, and a proxy cannot know
 * that such a request was never read. So the port closes right after a turn of the event loop that found nobody waiting.
 * @returns once the port is closed. `all` resolves when the last connection is.
 */
export async function closePort(server: Pick<Server, "close">): Promise<{ all: Promise<void> }> {
  const deadline = performance.now() + BUSY_MAX_MS;
  let [began, isIdle] = [performance.now(), false];
  while (!isIdle && began < deadline) {
    await nextTurn();
    const now = performance.now();
    isIdle = now - began < IDLE_MS;
    began = now;
  }
  return { all: new Promise((resolve) => void server.close(() => resolve())) };
}
