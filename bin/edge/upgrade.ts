import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { pipeline } from "node:stream";
import type { Duplex } from "node:stream";

/** Whether a request is the browser's hot reload connection. */
export function isHotReload(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === "websocket" &&
    (request.url ?? "").startsWith("/_next/")
  );
}

/** Connects both sides until either closes. */
export function forwardUpgrade(
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  socketPath: string,
): void {
  const upstream = connect(socketPath, () => {
    const lines = request.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ""}`] : [],
    );
    upstream.write(`GET ${request.url ?? "/"} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    upstream.write(head);
    pipeline(socket, upstream, socket, () => undefined);
  });
  upstream.on("error", () => socket.destroy());
}
