import type { IncomingMessage } from "node:http";
import { ServerResponse } from "node:http";
import { finished } from "node:stream";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { inTurn } from "#lib/api/edge/long-bodies.ts";
import { toClientAddress } from "./client-address.ts";

/** How long the rest of a body may take to arrive after its answer. */
const LINGER_MS = 500;
/** The pause after each long body that was read only to be dropped, before the next one of the same client. */
const PAUSE_MS = 20;

/** Closes an answered connection once its client has had time to read the answer. Drops input until then. */
export function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}

/**
 * A response that may be sent while the request's body is still arriving. Closing a connection with unread
 * input resets it (RFC 9112, 9.6), and a reset can take the answer with it. The response is therefore sent
 * at once and ends when the body has been read; if that takes more than half a second, it closes the connection.
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

/**
 * Drops the rest of the body. Long bodies of one client are dropped one after another with pauses, because they would take as
 * much of this process as the client can send. The connection is read no further meanwhile, so the client has to wait.
 */
function afterBody(request: IncomingMessage, end: () => void): void {
  const close = () => {
    end();
    request.socket.destroySoon();
  };
  const drop = async () => {
    const finish = (await isReadSoon(request)) ? end : close;
    finish();
    await sleep(PAUSE_MS);
  };
  // If too many wait, the connection is closed instead.
  inTurn({ sender: toClientAddress(request), bytes: toBytes(request) }, drop).catch(close);
}

/** Resolves once the body has been read or has broken off, or to false if that takes too long. */
function isReadSoon(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LINGER_MS);
    finished(request, { writable: false }, () => {
      clearTimeout(timer);
      resolve(true);
    });
    request.resume();
  });
}

/** The length of the body; a body that is sent in chunks may have any. */
function toBytes({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined
    ? Number(headers["content-length"] ?? 0)
    : Number.POSITIVE_INFINITY;
}
