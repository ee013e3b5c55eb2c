import type { Socket } from "node:net";
import type { Connection } from "#lib/webhooks/connect.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";

/** Less than the five seconds after which common servers close an idle connection. */
const IDLE_MS = 4_000;
/** After this long, the next notification looks the name up again. */
const AGE_MS = 60_000;
const IDLE_MAX = 100;

interface Idle {
  connection: Connection;
  /** Removes the connection from `idle`, and leaves it open. */
  leave: () => void;
}

/**
 * Connections that receivers left open, by the whole URL and the policy that allowed it: endpoints with different URLs
 * never share one.
 */
const idle = new Map<string, Idle[]>();
const openedAt = new WeakMap<Socket, number>();
let idleCount = 0;

/** Where a connection leads, and the policy that allowed it. */
export interface Place {
  url: string;
  policy: EndpointPolicy;
}

function toKey({ url, policy }: Place): string {
  return JSON.stringify([url, policy]);
}

/** Takes an idle connection to this place; null without one. The receiver may be closing it at this very moment. */
export function takeIdle(place: Place): Connection | null {
  const waiting = idle.get(toKey(place))?.at(-1);
  if (!waiting) {
    return null;
  }
  waiting.leave();
  waiting.connection.socket.ref();
  return waiting.connection;
}

/** Keeps a connection for the next notification to the same place; closes it if it is too old, or one too many. */
export function keepIdle(place: Place, connection: Connection): void {
  const key = toKey(place);
  const { socket } = connection;
  const opened = openedAt.get(socket) ?? Date.now();
  openedAt.set(socket, opened);
  if (idleCount >= IDLE_MAX || Date.now() - opened >= AGE_MS) {
    socket.destroy();
    return;
  }
  const end = () => {
    leave();
    socket.destroy();
  };
  const timer = setTimeout(end, IDLE_MS).unref();
  // An idle connection expects no data: any event ends it.
  const events = ["data", "end", "close", "error"] as const;
  const leave = () => {
    clearTimeout(timer);
    events.forEach((event) => socket.off(event, end));
    const others = idle.get(key)?.filter((each) => each !== waiting) ?? [];
    if (others.length > 0) {
      idle.set(key, others);
    } else {
      idle.delete(key);
    }
    idleCount -= 1;
  };
  const waiting = { connection, leave };
  events.forEach((event) => socket.on(event, end));
  idle.set(key, [...(idle.get(key) ?? []), waiting]);
  idleCount += 1;
  socket.unref();
}
