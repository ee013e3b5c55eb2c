import type { IncomingMessage } from "node:http";
import { ServerResponse } from "node:http";
import { finished } from "node:stream";
import type { Duplex } from "node:stream";

/** How long the rest of a body may take to arrive after its answer. */
const LINGER_MS = 500;

/** Closes an answered connection once its client has had time to read the answer. Drops input until then. */
export function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}

/**
 * A response that may be sent while the request's body is still arriving. Closing a connection with unread
 * input resets it (RFC 9112, 9.6), and a reset can take the answer with it. The response is therefore sent
 * at once and ends when the body has been read; after half a second, it closes the connection.
 *
 * Its head must state the length of the body.
 */
export class LingeringResponse extends ServerResponse {
  override end(...args: unknown[]): this {
    // `apply` binds the method: a spread of arguments does not match any of its overloads.
    // oxlint-disable-next-line typescript/unbound-method
    const endWith = (rest: unknown[]) => Reflect.apply(super.end, this, rest);
    const [chunk, ...rest] = args;
    if (this.req.complete || this.writableEnded) {
      endWith(args);
    } else if (typeof chunk === "string" || chunk instanceof Uint8Array) {
      this.write(chunk);
      afterBody(this.req, () => endWith(rest));
    } else {
      this.flushHeaders();
      afterBody(this.req, () => endWith(args));
    }
    return this;
  }
}

function afterBody(request: IncomingMessage, end: () => void): void {
  const timer = setTimeout(() => {
    end();
    request.socket.destroySoon();
  }, LINGER_MS);
  finished(request, { writable: false }, () => {
    clearTimeout(timer);
    end();
  });
  request.resume();
}
