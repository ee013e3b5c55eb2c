import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import { defineClient } from "#lib/api/client-package/source/client.ts";

interface Received {
  line: string;
  key: string | undefined;
  body: string;
  headers: IncomingMessage["headers"];
}

/** What the server answers to a request; "lost" ends the connection without an answer. */
export type Planned =
  | "lost"
  | ((response: ServerResponse) => void)
  | { status: number; body?: unknown; headers?: Record<string, string> };

export const OK = { status: 200, body: { id: "a card" } } satisfies Planned;

export const problem = (code: string, status: number) => ({
  status,
  body: { code, status, title: code, detail: "Why.", request_id: "r" },
});

/** A refusal that ends by itself, as the server says with `Retry-After`. */
export const passing = (code: string, status = 409) => ({
  ...problem(code, status),
  headers: { "Retry-After": "0" },
});

const OPERATIONS = {
  cards: "/cards;freeze ~/:/freeze + PATCH;list ~ cursor;export /exports/cards file",
  events: "/events;list ~ after",
  integrators: "/register;register ~ ! POST",
};

type Call = Promise<unknown> &
  AsyncIterable<unknown> & {
    withResponse(): Promise<{ data: unknown; response: Record<string, unknown> }>;
  };
type Perform = (...given: unknown[]) => Call;

/** A server that answers as planned, in one test file, and clients of it. */
export function usePlannedServer() {
  let planned: Planned[] = [];
  // A request of an earlier test may arrive after its client gave it up.
  let plans = 0;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      if (headers["x-plan"] !== String(plans)) {
        return request.socket.destroy();
      }
      const key = headers["idempotency-key"]?.toString();
      received.push({ line: `${method} ${url}`, key, body, headers });
      return answer(planned.shift() ?? OK, request, response);
    });
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = () => {
    const address = server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  };
  return {
    received,
    origin,
    plan(...answers: Planned[]): void {
      plans += 1;
      planned = answers;
      received.length = 0;
    },
    newClient: ({ headers, ...options }: { headers?: object; [name: string]: unknown } = {}) =>
      newClient(origin(), { ...options, headers: { ...headers, "X-Plan": String(plans) } }),
  };
}

function answer(planned: Planned, request: IncomingMessage, response: ServerResponse): void {
  if (planned === "lost") {
    request.socket.destroy();
  } else if (typeof planned === "function") {
    planned(response);
  } else {
    const headers = { "Content-Type": "application/json", ...planned.headers };
    response.writeHead(planned.status, headers).end(JSON.stringify(planned.body ?? {}));
  }
}

function newClient(baseUrl: string, options: object) {
  const Client = defineClient({ apiVersion: "0.5.0", baseUrl, operations: OPERATIONS });
  const client = new Client({ apiKey: "fd_test", ...options });
  const perform =
    (noun: string, method: string): Perform =>
    (...given) =>
      client[noun]?.[method]?.(...given) as Call;
  return {
    client,
    freeze: perform("cards", "freeze"),
    listCards: perform("cards", "list"),
    exportCards: perform("cards", "export"),
    listEvents: perform("events", "list"),
    register: perform("integrators", "register"),
  };
}
