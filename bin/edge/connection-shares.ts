import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toNetwork } from "#lib/base/ip-address.ts";
import { log } from "#lib/base/log.ts";
import { seldom } from "./seldom.ts";

/** The latest request on a connection, and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Connections of direct clients, by network. There are no fixed shares: while the port is full, a new connection closes
 * an idle one. Of the networks with an idle connection, the one with the most connections gives up its longest idle one.
 */
class ConnectionShares {
  private readonly max: number;
  /** Sockets by network, each set in the order of the sockets' latest requests. */
  private readonly networks = new Map<string, Set<Socket>>();
  /** The set of sockets of the same network, for each counted connection. */
  private readonly neighbors = new WeakMap<Socket, Set<Socket>>();
  private readonly latest = new WeakMap<Socket, Exchange>();
  private open = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Counts a new connection, and closes it or another one when there are too many. */
  add(socket: Socket): void {
    const network = toNetwork(socket.remoteAddress ?? null);
    if (this.open >= this.max) {
      warn(this.max);
      if (!this.closeIdle()) {
        socket.destroy();
        return;
      }
    }
    this.open += 1;
    const sockets = this.networks.get(network) ?? new Set();
    this.networks.set(network, sockets.add(socket));
    this.neighbors.set(socket, sockets);
    socket.once("close", () => this.remove(network, socket));
  }

  /** Notes a request. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.latest.set(socket, { request, response });
    const sockets = this.neighbors.get(socket);
    if (sockets?.delete(socket)) {
      sockets.add(socket);
    }
  }

  private remove(network: string, socket: Socket): void {
    const sockets = this.networks.get(network);
    if (!sockets?.delete(socket)) {
      return;
    }
    this.open -= 1;
    if (sockets.size === 0) {
      this.networks.delete(network);
    }
  }

  /** @returns whether an idle connection could be closed. */
  private closeIdle(): boolean {
    const largestFirst = [...this.networks].toSorted(([, a], [, b]) => b.size - a.size);
    for (const [network, sockets] of largestFirst) {
      const idle = sockets.values().find((socket) => this.isIdle(socket));
      if (idle) {
        this.remove(network, idle);
        idle.destroy();
        return true;
      }
    }
    return false;
  }

  /** Whether the server waits for the client: for a request, for the rest of one, or until its response is read. */
  private isIdle(socket: Socket): boolean {
    const latest = this.latest.get(socket);
    return (
      !latest ||
      !latest.request.complete ||
      latest.response.writableEnded ||
      latest.response.writableNeedDrain
    );
  }
}

const warn = seldom((connectionsMax: number) => {
  log.warn({ connectionsMax }, "Too many connections are open: closing idle ones.");
});

/**
 * Shares the connections of a server without a proxy. Each connection beyond `max` closes an idle one. While no
 * connection is idle, new ones are closed on arrival.
 * @returns a function to call with each request as it starts.
 */
export function shareConnections(
  server: Server,
  max: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const shares = new ConnectionShares(max);
  server.on("connection", (socket) => shares.add(socket));
  return (request, response) => shares.begin(request, response);
}

/** Limits the connections of proxies, which share them among their clients. Excess ones are closed on arrival. */
export function limitConnections(server: Server, max: number): void {
  server.maxConnections = max;
  const warnOfDrops = seldom(() => {
    log.warn({ connectionsMax: max }, "Refusing connections: too many are open.");
  });
  server.on("drop", () => warnOfDrops());
}
