import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "#lib/base/env.ts";
import { DomainError, isDomainError } from "#lib/base/errors.ts";
import { sandboxOnly } from "#lib/base/sandbox.ts";
import { keepNotification, openInbox } from "#lib/webhooks/inbox-receive.ts";
import type { Db } from "#db/client.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { createBodyBudget, readBody } from "./incoming-body.ts";
import { toEdgeProblem } from "./refuse.ts";
import { SharedPool } from "#lib/base/shared-pool.ts";

const PATH = /^\/inbox\/(?<token>[\w-]{1,64})$/u;

/** How many requests may be at work in the database, or wait for it. */
const IN_FLIGHT_MAX = 256;

/** Answers a request to an inbox. `path` is its normalized path. */
export type InboxListener = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<void>;

/** Whether a path has the form of an inbox's. */
export function isInboxPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Receives what is sent to the inboxes of a sandbox, as an integrator's own server would: whoever knows the address may
 * send, in any format. An answer of 200 means that the notification is kept.
 * @param db a pool of its own, so that an inbox never takes a connection from a payment.
 */
export function createInboxListener(db: Db): InboxListener {
  const pools = {
    bodies: createBodyBudget(),
    inFlight: new SharedPool(
      IN_FLIGHT_MAX,
      "Too many notifications are arriving at this inbox; wait a moment.",
    ),
  };
  return async (request, response, path) => {
    try {
      requirePost(request, response);
      await receive(db, { request, token: PATH.exec(path)?.groups?.["token"] ?? "" }, pools);
      response.writeHead(200, { ...toAnswerHeaders(), ...RECEIVED });
      response.end(TEXT);
    } catch (error) {
      const { status, headers, body } = toEdgeProblem(toOwnFault(error, request), path);
      response.writeHead(status, headers).end(body);
    }
  };
}

const TEXT = "Received.\n";
const RECEIVED = {
  "content-type": "text/plain; charset=utf-8",
  "content-length": TEXT.length,
  "cache-control": "no-store",
};

/** @throws DomainError `sandbox_only`, `method_not_allowed`. */
function requirePost({ method }: IncomingMessage, response: ServerResponse): void {
  if (env().environment !== "sandbox") {
    throw sandboxOnly();
  }
  if (method !== "POST") {
    response.setHeader("Allow", "POST");
    throw new DomainError("method_not_allowed", "This path supports POST.");
  }
}

/** A body that is still arriving keeps nothing else waiting. */
async function receive(
  db: Db,
  { request, token }: { request: IncomingMessage; token: string },
  { bodies, inFlight }: Record<"bodies" | "inFlight", SharedPool>,
): Promise<void> {
  const inTurn = <T>(work: () => Promise<T>) =>
    inFlight.hold(token, (room) => {
      room.take(1);
      return work();
    });
  const inbox = await inTurn(() => openInbox(db, token));
  const body = await bodies.hold(token, (room) => readBody(request, room));
  await inTurn(() => keepNotification(db, inbox, { headers: request.headers, body }));
}

/** A body that breaks off is its sender's fault. */
function toOwnFault(error: unknown, request: IncomingMessage): unknown {
  return !isDomainError(error) && request.readableAborted
    ? new DomainError("request_malformed", "The connection closed before the body ended.")
    : error;
}
