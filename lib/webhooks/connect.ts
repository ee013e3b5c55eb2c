import { Socket, isIP } from "node:net";
import type { TcpSocketConnectOpts } from "node:net";
import { connect as connectTls } from "node:tls";
import { mayConnectTo } from "#lib/webhooks/internal/address.ts";
import { findTarget } from "#lib/webhooks/endpoint-url.ts";
import type { EndpointPolicy, Target } from "#lib/webhooks/endpoint-url.ts";
import { toHost } from "#lib/webhooks/internal/resolve.ts";
import { SendFailure, toSendFailure } from "#lib/webhooks/internal/send-failure.ts";
import { timeLimit } from "#db/time-limits.ts";

/** A connection to an approved address. */
export interface Connection {
  url: URL;
  address: string;
  socket: Socket;
}

/**
 * Connects to the first of the target's addresses that accepts, and checks the connected address once more. The name
 * is not looked up again.
 * @param onTry called with each address before it is tried.
 * @throws SendFailure
 */
export async function connect(
  text: string,
  policy: EndpointPolicy,
  { signal, onTry }: { signal: AbortSignal; onTry?: (address: string) => void },
): Promise<Connection> {
  const target = await findTarget(text, policy);
  signal.throwIfAborted();
  if (target.kind !== "found") {
    throw new SendFailure(REASONS[target.kind], target.detail);
  }
  const { url } = target;
  const raw = new Socket();
  raw.setNoDelay();
  raw.on("connectionAttempt", (address) => onTry?.(address));
  raw.connect(inTurn(target));
  const timer = setTimeout(() => {
    raw.destroy(new SendFailure("timed_out", "The connection could not be established in time."));
  }, timeLimit("webhookConnect"));
  const abort = () => raw.destroy(toSendFailure(signal.reason, "connection_lost"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    await opened(raw, "connect", "connect_failed");
    const address = raw.remoteAddress ?? "";
    if (!mayConnectTo(address, policy)) {
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
} as const satisfies Record<Exclude<Target["kind"], "found">, unknown>;

/** Node tries the addresses one by one, alternating between IPv6 and IPv4 (RFC 8305). A literal needs no lookup. */
function inTurn({ url, addresses }: Extract<Target, { kind: "found" }>): TcpSocketConnectOpts {
  return {
    host: toHost(url.hostname),
    port: toPort(url),
    lookup: (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: timeLimit("webhookAddress"),
  };
}

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
  // This listener stays after the promise settles: an error event without any listener would end the process. Other
  // listeners handle later errors.
  socket.on("error", (error) => reject(toSendFailure(error, otherwise)));
  socket.once("close", () =>
    reject(new SendFailure("connection_lost", "The connection was closed.")),
  );
  return promise;
}
