import { createSocket } from "node:dgram";

/** A name server on loopback with answers that the test defines. */
export interface NameServer {
  /** Its address and port, in the resolver's format. */
  address: string;
  /** The names for which it received an IPv4 query. */
  asked: string[];
  stop(): void;
}

const TYPE_A = 1;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/** @param answer returns the IPv4 addresses of a name: an empty list for an unknown name, undefined for no answer. */
export async function startNameServer(
  answer: (name: string) => readonly string[] | undefined,
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, from) => {
    const { name, type, end } = readQuestion(query);
    const addresses = type === TYPE_A ? answer(name) : [];
    if (type === TYPE_A) {
      asked.push(name);
    }
    if (addresses) {
      socket.send(toReply(query.subarray(0, end), type === TYPE_A, addresses), from.port);
    }
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => socket.close(),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function toReply(question: Buffer, isKnown: boolean, addresses: readonly string[]): Buffer {
  const reply = Buffer.from(question);
  const isMissing = isKnown && addresses.length === 0;
  reply.writeUInt16BE(0x8180 | (isMissing ? NO_SUCH_NAME : 0), 2);
  reply.writeUInt16BE(addresses.length, 6);
  reply.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([reply, ...records]);
}
