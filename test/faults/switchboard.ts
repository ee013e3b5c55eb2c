import { connect, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { findFreePort } from "#db/postmaster.ts";

/** A proxy between server and databases, like HAProxy or a virtual address, that leads to one of them. */
export class Switchboard {
  private port = 0;
  private server: Server | undefined;
  private readonly open = new Set<Socket>();

  /** The same URL through this proxy. */
  readonly lay = async (databaseUrl: string): Promise<string> => {
    const url = new URL(databaseUrl);
    this.port = Number(url.port);
    this.server = createServer({ noDelay: true }, (inward) => this.join(inward));
    const port = await findFreePort();
    await new Promise<void>((resolve) => this.server?.listen(port, "127.0.0.1", resolve));
    url.port = String(port);
    return url.href;
  };

  /** Closes all connections, and leads new ones to the database at this URL. */
  leadTo(databaseUrl: string): void {
    this.port = Number(new URL(databaseUrl).port);
    for (const socket of this.open) {
      socket.destroy();
    }
  }

  close(): void {
    this.server?.close();
  }

  private join(inward: Socket): void {
    const outward = connect({ port: this.port, host: "127.0.0.1", noDelay: true });
    for (const [socket, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      this.open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
