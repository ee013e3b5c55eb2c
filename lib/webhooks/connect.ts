import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { mayConnectTo } from "#lib/webhooks/address.ts";
import { findTarget } from "#lib/webhooks/endpoint-url.ts";
import type { EndpointPolicy, Target } from "#lib/webhooks/endpoint-url.ts";
import { toHost } from "#lib/webhooks/resolve.ts";
import { SendFailure, toSendFailure } from "#lib/webhooks/send-failure.ts";

/** How long a connection may take to be usable, its TLS handshake included. */
const CONNECT_TIMEOUT_MS = 5_000;

/** A connection to a judged address. */
export interface Connection {
  url: URL;
  address: string;
  socket: Socket;
}

/**
 * Connects to where a URL leads now, by address and never by name, and looks once more at what it is really connected to.
 * @throws SendFailure
 */
export async function connect(
  text: string,
  policy: EndpointPolicy,
  signal: AbortSignal,
): Promise<Connection> {
  const target = await findTarget(text, policy);
  signal.throwIfAborted();
  if (target.outcome !== "found") {
    throw new SendFailure(REASONS[target.outcome], target.detail);
  }
  const { url, address } = target;
  const raw = connectTcp({ host: address, port: toPort(url), noDelay: true });
  const timer = setTimeout(() => {
    raw.destroy(new SendFailure("timed_out", "No connection could be made in time."));
  }, CONNECT_TIMEOUT_MS);
  const abort = () => raw.destroy(toSendFailure(signal.reason, "connection_lost"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    await opened(raw, "connect", "connect_failed");
    if (!mayConnectTo(raw.remoteAddress ?? "", policy)) {
      throw new SendFailure(
        "address_refused",
        "The connection led to an address that is not public.",
      );
    }
    return {
      url,
      address,
      socket: url.protocol === "https:" ? await secure(raw, url, policy) : raw,
    };
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

const REASONS = {
  refused: "address_refused",
  unresolved: "dns_failed",
  timed_out: "timed_out",
} as const satisfies Record<Exclude<Target["outcome"], "found">, unknown>;

function toPort(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

async function secure(raw: Socket, url: URL, policy: EndpointPolicy): Promise<Socket> {
  const host = toHost(url.hostname);
  const socket = connectTls({
    socket: raw,
    host,
    // An address is no server name (RFC 6066); the certificate must carry it all the same.
    ...(isIP(host) ? {} : { servername: host }),
    ...(policy.certificates === undefined ? {} : { ca: policy.certificates }),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
  });
  // What ends the connection below ends it here too, with the reason.
  raw.once("error", (error) => socket.destroy(error));
  await opened(socket, "secureConnect", "tls_failed");
  return socket;
}

function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  otherwise: "connect_failed" | "tls_failed",
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, () => resolve());
  // Stays: an error after this has a listener of its own, and without any would end the process.
  socket.on("error", (error) => reject(toSendFailure(error, otherwise)));
  socket.once("close", () =>
    reject(new SendFailure("connection_lost", "The connection was closed.")),
  );
  return promise;
}
