import { createServer } from "node:net";
import type { Socket } from "node:net";
import { int16, int32, message, READY, toMessages } from "./wire.ts";

/** A server on loopback that speaks PostgreSQL's protocol. */
export interface UndescribedServer {
  url: string;
  close(): Promise<void>;
}

/**
 * A server that fails to describe the columns of the first statement, as PostgreSQL does when a table lacks one of them, and
 * the statement was prepared before it was lost. It describes all later ones. Each has a parameter, and returns "here".
 */
export async function startUndescribed(): Promise<UndescribedServer> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `postgres://any@127.0.0.1:${address && typeof address === "object" ? address.port : 0}/any`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const PARAMETER = message("t", Buffer.concat([int16(1), int32(25)]));
const MISSING_COLUMN = message("E", Buffer.from("SERROR\0C42703\0Mno such column\0\0"));
const [COLUMN = READY, ...ROW_AND_END] = toMessages({ names: ["found"], rows: [["here"]] });
const GREETING = [message("R", int32(0)), READY];

function serve(socket: Socket): void {
  let unread = Buffer.alloc(0);
  let hasGreeted = false;
  let hasFailed = false;
  let isSkipping = false;
  const answers: Readonly<Record<string, () => Buffer[]>> = {
    P: () => [message("1", Buffer.alloc(0))],
    D: () => {
      isSkipping = !hasFailed;
      hasFailed = true;
      return [PARAMETER, isSkipping ? MISSING_COLUMN : COLUMN];
    },
    B: () => [message("2", Buffer.alloc(0))],
    E: () => ROW_AND_END,
  };
  const answer = (type: string): Buffer[] => {
    if (type === "S") {
      isSkipping = false;
      return [READY];
    }
    return isSkipping ? [] : (answers[type]?.() ?? []);
  };
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    if (!hasGreeted) {
      hasGreeted = true;
      socket.write(Buffer.concat(GREETING));
      return;
    }
    unread = Buffer.concat([unread, chunk]);
    while (unread.length > 4 && unread.length > unread.readUInt32BE(1)) {
      socket.write(Buffer.concat(answer(String.fromCodePoint(unread[0] ?? 0))));
      unread = unread.subarray(unread.readUInt32BE(1) + 1);
    }
  });
}
