import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { testDatabase } from "#test/database/database.ts";
import { exchangeRaw } from "#test/outside/raw-http.ts";
import type { RawAnswer } from "#test/outside/raw-http.ts";
import { ROUTES } from "#app/api/routes.ts";
import { createApi } from "#lib/api/router.ts";
import { createApiListener } from "./api-listener.ts";
import { createForward } from "./forward.ts";
import { createInboxListener } from "./inbox.ts";
import { createEdge } from "./server.ts";

/** The edge in front of the real API and of a stand-in for the pages, whose content does not matter. */
export class EdgeRig {
  readonly edge: Server;
  readonly port: number;
  /** The requests the pages received. */
  received: IncomingMessage[] = [];
  answerPage: RequestListener = answerBriefly;
  /** Whether the pages' process is running. */
  isRunning = true;
  private readonly stopPages: () => void;

  private constructor(edge: Server, stopPages: () => void) {
    const address = edge.address();
    this.edge = edge;
    this.port = address !== null && typeof address === "object" ? address.port : 0;
    this.stopPages = stopPages;
  }

  static async start(connectionsMax = 4_096): Promise<EdgeRig> {
    const directory = mkdtempSync(path.join(tmpdir(), "edge-"));
    const socketPath = path.join(directory, "pages.sock");
    const pages = createServer((request, response) => {
      rig.received.push(request);
      rig.answerPage(request, response);
    });
    pages.listen(socketPath);
    const edge = createEdge({
      toApi: createApiListener(createApi(ROUTES)),
      toPages: createForward({ socketPath, isAnswering: () => rig.isRunning }, "production"),
      toInbox: createInboxListener(testDatabase().db),
      hotReload: false,
      connectionsMax,
    });
    edge.listen(0, "127.0.0.1");
    await once(edge, "listening");
    const rig = new EdgeRig(edge, () => {
      pages.closeAllConnections();
      pages.close();
      rmSync(directory, { recursive: true });
    });
    return rig;
  }

  /** Resets what one test recorded and set up. */
  reset(): void {
    this.received = [];
    this.isRunning = true;
    this.answerPage = answerBriefly;
  }

  /** Sends one request over its own connection. */
  ask(line: string, headers: readonly string[] = [], body = ""): Promise<RawAnswer> {
    const all = ["Host: 127.0.0.1", "Connection: close", ...headers];
    return exchangeRaw(this.port, `${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${body}`);
  }

  stop(): void {
    this.edge.closeAllConnections();
    this.edge.close();
    this.stopPages();
  }
}

function answerBriefly(...[, response]: Parameters<RequestListener>): void {
  response.end("a page");
}

/** The status and code of a problem. @throws Error for anything else. */
export function readProblem({ status, headers, body }: RawAnswer): string {
  const type = headers.get("content-type") ?? "";
  const problem: { status: number; code: string; request_id: string } = JSON.parse(body);
  if (
    !type.startsWith("application/problem+json") ||
    problem.status !== status ||
    problem.request_id !== headers.get("x-request-id")
  ) {
    throw new Error(`Not a problem: ${type}, ${body}`);
  }
  return `${status} ${problem.code}`;
}
