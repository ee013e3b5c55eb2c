import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { CERTIFICATE, PRIVATE_KEY } from "./certificate.ts";

/** A received notification. */
export interface Received {
  headers: IncomingHttpHeaders;
  path: string;
  body: string;
  at: number;
}

/** How a receiver answers. */
export type Behavior = (response: ServerResponse, request: IncomingMessage) => void;

/** An integrator's receiver on loopback, whose behavior the test defines. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The number of connections to it, with or without a request. */
  connections(): number;
  behave(behavior: Behavior): void;
  /** Waits until it has received this many notifications. The timeout only ends a test that hangs. */
  waitFor(count: number, timeoutMs?: number): Promise<Received[]>;
  stop(): Promise<void>;
}

const DRIP_PERIOD_MS = 1_000;
const CHUNK_BYTES = 65_536;

export function answer(status: number, headers: Record<string, string> = {}, body = ""): Behavior {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** Accepts the request and never responds. */
export const hang: Behavior = () => undefined;

/** Answers 200 and then one byte a second, forever. */
export const drip: Behavior = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write("."), DRIP_PERIOD_MS);
  response.once("close", () => clearInterval(timer));
};

/** Resets the connection instead of responding. */
export const reset: Behavior = (_response, request) => void request.socket.resetAndDestroy();

/** Responds 200 with this many bytes as fast as the client reads; reports the number sent to `sent`. */
export function flood(bytes: number, sent: (count: number) => void): Behavior {
  return (response) => {
    const chunk = Buffer.alloc(CHUNK_BYTES, "x");
    let count = 0;
    const more = () => {
      while (count < bytes && !response.destroyed) {
        count += chunk.length;
        sent(count);
        if (!response.write(chunk)) {
          response.once("drain", more);
          return;
        }
      }
      response.end();
    };
    response.writeHead(200);
    more();
  };
}

/** Sends something other than HTTP. */
export const garble: Behavior = (_response, request) => {
  request.socket.end("220 mail.example ESMTP\r\n");
};

/** Where a receiver listens, and whether it speaks TLS with the certificate for tests. */
export interface Place {
  host?: string;
  port?: number;
  secure?: boolean;
}

export async function startReceiver(
  behavior: Behavior = answer(200),
  { host = "127.0.0.1", port = 0, secure = false }: Place = {},
): Promise<Receiver> {
  let current = behavior;
  let connections = 0;
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      received.push({
        headers: request.headers,
        path: request.url ?? "",
        body: Buffer.concat(chunks).toString("utf8"),
        at: Date.now(),
      });
      current(response, request);
    });
  };
  const server = secure
    ? createSecureServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, listener)
    : createServer(listener);
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    url: `http${secure ? "s" : ""}://${host.includes(":") ? `[${host}]` : host}:${portOf(server)}/hook`,
    received,
    connections: () => connections,
    behave: (next) => {
      current = next;
    },
    waitFor: (count, timeoutMs) => waitUntil(received, count, timeoutMs),
    stop: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return address && typeof address === "object" ? address.port : 0;
}

const WAIT_PERIOD_MS = 10;

async function waitUntil(
  received: readonly Received[],
  count: number,
  timeoutMs = 60_000,
): Promise<Received[]> {
  const deadline = Date.now() + timeoutMs;
  while (received.length < count) {
    if (Date.now() > deadline) {
      throw new Error(
        `${received.length} of ${count} notifications came in within ${timeoutMs} ms.`,
      );
    }
    await sleep(WAIT_PERIOD_MS);
  }
  return [...received];
}
