import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Sample } from "./measure.ts";
import type { Served } from "./stage.ts";

/** A request as raw bytes, so that the load generator itself uses almost no CPU. */
export function toRequestBytes(
  line: string,
  { key, body }: { key: string; body?: string },
  more = "",
): Buffer {
  const content = body === undefined ? "" : `Content-Type: application/json\r\n`;
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  return Buffer.from(
    `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${more}${content}Content-Length: ${length}\r\n\r\n${body ?? ""}`,
  );
}

/** A browser's request for a page, compressed or not. With an API key it would be a program's, which get no pages. */
export function toPageRequest(path: string, cookies: string, { compressed = false } = {}): Buffer {
  const encoding = compressed ? "Accept-Encoding: gzip\r\n" : "";
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: ${cookies}\r\n${encoding}\r\n`,
  );
}

/** Sends requests over keep-alive connections, one in flight on each, and counts every response that is not a 200. */
export async function driveHttp(
  served: Served,
  { clients, durationMs }: { clients: number; durationMs: number },
  next: (client: number) => Buffer,
): Promise<Sample> {
  const cpuBefore = served.cpuSeconds();
  const started = performance.now();
  const until = started + durationMs;
  const latencies: number[] = [];
  let failures = 0;
  await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      converse(served, {
        next: () => (performance.now() < until ? next(client) : undefined),
        note: (status, ms) => {
          latencies.push(ms);
          failures += status === 200 ? 0 : 1;
        },
      }),
    ),
  );
  return {
    seconds: (performance.now() - started) / 1_000,
    latencies,
    failures,
    cpuSeconds: served.cpuSeconds() - cpuBefore,
    memoryBytes: served.memoryBytes(),
  };
}

/** How many requests in a row may be answered 503 before the server counts as broken. */
const UNAVAILABLE_MAX = 50;

/**
 * Sends requests over one connection, one after the other, until `times` of them were answered with 200. A request is
 * answered 503, and repeated, if its database connection was just closed.
 * @throws Error for any other status, or when the server stays unavailable.
 */
export async function converseTimes(
  served: Pick<Served, "port">,
  times: number,
  next: () => Buffer,
): Promise<void> {
  let left = times;
  let unavailable = 0;
  await converse(served, {
    next: () => (left > 0 ? next() : undefined),
    note: (status) => {
      unavailable = status === 503 ? unavailable + 1 : 0;
      if ((status !== 200 && status !== 503) || unavailable > UNAVAILABLE_MAX) {
        throw new Error(`A request was answered with ${status}.`);
      }
      left -= status === 200 ? 1 : 0;
    },
  });
}

/** Where a connection leads, and from which address of the loopback network it comes. */
export interface Route {
  port: number;
  from?: string | undefined;
}

interface Conversation {
  /** The next request; undefined ends the conversation. */
  next(): Buffer | undefined;
  /** What it throws fails the conversation. */
  note(status: number, ms: number): void;
}

/**
 * Sends one request after the other over one connection.
 * @throws Error when the server closes it before the conversation ends.
 */
export function converse(
  { port, from = "127.0.0.1" }: Route,
  conversation: Conversation,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", localAddress: from });
    socket.setNoDelay(true);
    let sentAt = 0;
    let pending = "";
    const ask = () => {
      const request = conversation.next();
      if (!request) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The server closed the connection.")));
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      const status = toStatusOfWhole(pending);
      if (status !== undefined) {
        pending = "";
        try {
          conversation.note(status, performance.now() - sentAt);
        } catch (error) {
          socket.destroy();
          reject(error);
          return;
        }
        ask();
      }
    });
  });
}

/** The status of a complete response (by its length, or by its last chunk); undefined while it is incomplete. */
function toStatusOfWhole(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) {
    return undefined;
  }
  const length = /\r\ncontent-length: *(?<length>\d+)/iu.exec(text.slice(0, head));
  const whole = length
    ? text.length >= head + 4 + Number(length.groups?.["length"])
    : text.endsWith("\r\n0\r\n\r\n");
  return whole ? Number(text.slice(9, 12)) : undefined;
}
