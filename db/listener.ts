import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "./connect.ts";
import { KEEP_ALIVE_S } from "./client.ts";
import { timeLimit } from "./time-limits.ts";

/** The name of connections that listen. */
export const LISTEN_NAME = "floatdeck listen";

const RETRY_MS = 500;

/** What a listener calls. */
export interface Heard {
  /** A transaction that sent this to the channel has committed. */
  onMessage: (payload: string) => void;
  /** The listener hears everything from now on. What was sent before is lost, also after a lost connection. */
  onConnected: () => void;
  /** The connection could not be established, or is lost. Called once per outage. */
  onLost: (error: unknown) => void;
}

/**
 * Listens to a channel of PostgreSQL on a connection of its own, which is opened again whenever it is lost. Like every
 * connection of ours, it leads to a primary.
 */
export function listen(url: string, channel: string, heard: Heard): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const running = listenContinuously({ url, channel }, heard, stopped.signal);
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function listenContinuously(
  place: { url: string; channel: string },
  heard: Heard,
  stopped: AbortSignal,
): Promise<void> {
  let isLost = false;
  const report = {
    ...heard,
    onConnected: () => {
      isLost = false;
      heard.onConnected();
    },
  };
  while (!stopped.aborted) {
    try {
      await listenOnce(place, report, stopped);
    } catch (error) {
      if (!isLost) {
        isLost = true;
        heard.onLost(error);
      }
    }
    await sleep(RETRY_MS, undefined, { ref: false, signal: stopped }).catch(() => undefined);
  }
}

/** Listens on one connection until it is lost, which throws, or the listener is stopped. */
async function listenOnce(
  { url, channel }: { url: string; channel: string },
  { onMessage, onConnected }: Heard,
  stopped: AbortSignal,
): Promise<void> {
  const { promise: ended, resolve: stop, reject: lose } = Promise.withResolvers<void>();
  ended.catch(() => undefined);
  stopped.addEventListener("abort", () => stop(), { once: true });
  const options = {
    max: 1,
    connect_timeout: timeLimit("connect") / 1_000,
    max_lifetime: null,
    keep_alive: KEEP_ALIVE_S,
    target_session_attrs: "primary",
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    onclose: () => lose(new Error("The connection was closed.")),
    // The driver's types omit this option. Its own function for listening gives up after one failed connection.
    onnotify: (_channel: string, payload: string) => onMessage(payload),
    connection: { application_name: LISTEN_NAME },
  } as const;
  const client = connect(url, options);
  try {
    await Promise.race([client`listen ${client(channel)}`, ended]);
    if (!stopped.aborted) {
      onConnected();
    }
    await ended;
  } finally {
    await client.end({ timeout: 1 });
  }
}
