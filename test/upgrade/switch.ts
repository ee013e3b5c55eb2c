import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of servers, each request of which goes to the next one of those it was last told. */
export interface Switch {
  baseUrl: string;
  /** Requests that have begun stay where they are. */
  leadTo(baseUrls: readonly string[]): void;
  /** Resolves once no request is at a server. */
  idle(): Promise<void>;
  stop(): void;
}

export async function startSwitch(): Promise<Switch> {
  let targets: readonly string[] = [];
  let turn = 0;
  let inFlight = 0;
  let emptied = Promise.withResolvers<void>();
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    turn += 1;
    inFlight += 1;
    const { host } = new URL(targets[turn % targets.length] ?? "");
    const [hostname = "", port] = host.split(":");
    outgoing.once("close", () => {
      inFlight -= 1;
      if (inFlight === 0) {
        emptied.resolve();
      }
    });
    const passed = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    // What the client sees of a server that is gone.
    passed.once("error", () => outgoing.destroy());
    incoming.pipe(passed);
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    leadTo: (baseUrls) => {
      targets = baseUrls;
    },
    idle: async () => {
      emptied = Promise.withResolvers();
      if (inFlight > 0) {
        await emptied.promise;
      }
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
