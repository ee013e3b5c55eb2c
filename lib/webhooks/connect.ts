import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { mayConnectTo } from "#lib/webhooks/address.ts";
import { findTarget } from "#lib/webhooks/endpoint-url.ts";
import type { EndpointPolicy, Target } from "#lib/webhooks/endpoint-url.ts";
import { toHost } from "#lib/webhooks/resolve.ts";
import { SendFailure, toSendFailure } from "#lib/webhooks/send-failure.ts";
import { timeLimit } from "#db/time-limits.ts";

/** How long establishing a connection may take, including its TLS handshake. */

/** A connection to an approved address. */
export interface Connection {
  url: URL;
  address: string;
  socket: Socket;
}

/**
 * Connects to the target by address, never by name, and checks the connected address once more.
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
    raw.destroy(new SendFailure("timed_out", "The connection could not be established in time."));
  }, timeLimit("webhookConnect"));
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
    // An address is not a valid server name (RFC 6066); the certificate must still cover it.
    ...(isIP(host) ? {} : { servername: host }),
    ...(policy.certificates === undefined ? {} : { ca: policy.certificates }),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
  });
  // An error on the underlying connection ends this one too, with the same reason.
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
  // This listener stays: later errors have a listener of their own, but an error without any would end the
  // process.
  socket.on("error", (error) => reject(toSendFailure(error, otherwise)));
  socket.once("close", () =>
    reject(new SendFailure("connection_lost", "The connection was closed.")),
  );
  return promise;
}
