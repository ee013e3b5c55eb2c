import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

const TIMEOUT_MS = 20_000;

/** A connection on which a test sends raw bytes. */
export class RawConnection {
  readonly socket: Socket;
  private received = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.received += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
  }

  /** @param from the client's address: one of the loopback network. */
  static async open(port: number, from = "127.0.0.1"): Promise<RawConnection> {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  send(text: string): void {
    this.socket.write(text, "latin1");
  }

  /** Everything received, once it holds the text. @throws Error when it does not come. */
  async until(text: string): Promise<string> {
    const timer = setTimeout(() => this.socket.destroy(), TIMEOUT_MS);
    while (!this.received.includes(text)) {
      if (this.socket.destroyed || this.socket.readableEnded) {
        throw new Error(`${JSON.stringify(text)} did not come, but: ${this.received}`);
      }
      await Promise.race([once(this.socket, "data"), once(this.socket, "close")]);
    }
    clearTimeout(timer);
    return this.received;
  }

  /** Everything received, once the server has closed the connection. */
  async untilClosed(): Promise<string> {
    const timer = setTimeout(() => this.socket.destroy(), TIMEOUT_MS);
    if (!this.socket.destroyed) {
      await once(this.socket, "close");
    }
    clearTimeout(timer);
    return this.received;
  }
}

/** A parsed response. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Headers;
  body: string;
}

/** Sends one raw request, after which the server must close the connection, and parses the response. */
export async function exchangeRaw(port: number, request: string): Promise<RawAnswer> {
  const connection = await RawConnection.open(port);
  connection.send(request);
  return toAnswer(await connection.untilClosed());
}

/** @throws Error when the head of the response is incomplete. */
export function toAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) {
    throw new Error(`No answer: ${JSON.stringify(text)}`);
  }
  const [line = "", ...lines] = text.slice(0, end).split("\r\n");
  return {
    status: Number(line.split(" ")[1]),
    headers: new Headers(
      lines.map((each): [string, string] => {
        const at = each.indexOf(":");
        return [each.slice(0, at), each.slice(at + 1).trim()];
      }),
    ),
    body: text.slice(end + 4),
  };
}
