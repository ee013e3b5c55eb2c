import { once } from "node:events";
import { connect, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import type { Sql } from "postgres";

/** The cancellation key that PostgreSQL or a pooler has given to a connection. */
export interface BackendKey {
  pid: number;
  secret: number;
}

type Ssl = Sql["options"]["ssl"];

const CANCEL_CODE = 80_877_102;
const TLS_CODE = 80_877_103;
const TLS_ACCEPTED = "S".charCodeAt(0);
/** The values of `sslmode` with which the driver encrypts without verifying the certificate. */
const UNVERIFIED: ReadonlySet<unknown> = new Set(["require", "allow", "prefer"]);

/**
 * Cancels the statement that the connection with this key is running. This is PostgreSQL's own protocol for it, which
 * poolers translate to the session that runs the statement. Resolves once the request has been carried out.
 * @param client names the hosts. The request goes to each, because only the host that issued the key knows it.
 * @throws Error when no host can be reached.
 */
export async function requestCancel({ options }: Sql, key: BackendKey): Promise<void> {
  const { host, port, path, ssl } = options;
  await Promise.any(
    host.map((name, at) => cancelAt({ host: name, port: port[at] ?? 5432, path, ssl }, key)),
  );
}

/** Where to connect. With `path`, the path of a Unix socket, host and port do not apply. */
interface Target {
  host: string;
  port: number;
  path: string | undefined;
  ssl: Ssl;
}

async function cancelAt(
  { host, port, path, ssl }: Target,
  { pid, secret }: BackendKey,
): Promise<void> {
  const plain = path ? connect(path) : connect(port, host);
  plain.on("error", () => undefined);
  try {
    await once(plain, "connect");
    const socket = ssl ? await secure(plain, host, ssl) : plain;
    const closed = once(socket, "close");
    socket.resume().write(toMessage(CANCEL_CODE, pid, secret));
    // There is no answer: the server closes the connection when it is done.
    await closed;
  } finally {
    plain.destroy();
  }
}

async function secure(plain: Socket, host: string, ssl: NonNullable<Ssl>): Promise<Socket> {
  plain.write(toMessage(TLS_CODE));
  const [answer] = await once(plain, "data");
  if (answer[0] !== TLS_ACCEPTED) {
    return plain;
  }
  const secured = connectSecurely({
    socket: plain,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(UNVERIFIED.has(ssl) ? { rejectUnauthorized: false } : {}),
    ...(typeof ssl === "object" ? ssl : {}),
  }).on("error", () => undefined);
  await once(secured, "secureConnect");
  return secured;
}

/** Encodes a message that is sent before a session exists: its length, a code, and further numbers. */
function toMessage(...numbers: number[]): Buffer {
  const message = Buffer.alloc(4 * (numbers.length + 1));
  message.writeInt32BE(message.length);
  numbers.forEach((number, at) => message.writeUInt32BE(number, 4 * (at + 1)));
  return message;
}
