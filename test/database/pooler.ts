import { createServer } from "node:net";
import type { Socket } from "node:net";
import postgres from "postgres";
import { int32, message, READY, toMessages } from "./wire.ts";
import type { Answer } from "./wire.ts";

/** A proxy between clients and PostgreSQL, on loopback. */
export interface Pooler {
  url: string;
  close(): Promise<void>;
}

/**
 * A minimal pooler: the simple queries of all clients run on one session, which is what a pooler in
 * transaction mode may do with any two of them.
 */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const session = postgres(databaseUrl, {
    max: 1,
    connection: { statement_timeout: 4_500 },
    onnotice: () => undefined,
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    serve(socket, async (text) => {
      const rows = await session.unsafe(text);
      return { names: Object.keys(rows[0] ?? {}), rows: rows.map(Object.values) };
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(address && typeof address === "object" ? address.port : 0);
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
      await session.end();
    },
  };
}

/** Accepts every client, and answers simple queries. It has lost every prepared statement. */
function serve(socket: Socket, query: (text: string) => Promise<Answer>): void {
  let greeted = false;
  socket.on("data", (chunk) => {
    if (!greeted) {
      greeted = true;
      socket.write(Buffer.concat([message("R", int32(0)), READY]));
    } else if (chunk[0] === "Q".charCodeAt(0)) {
      const text = chunk.subarray(5, -1).toString();
      void query(text).then((answer) =>
        socket.write(Buffer.concat([...toMessages(answer), READY])),
      );
    } else if (chunk[0] === "P".charCodeAt(0)) {
      socket.write(Buffer.concat([message("E", Buffer.from("SERROR\0C26000\0\0")), READY]));
    }
  });
}
