import { request } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { constants, unzipSync } from "node:zlib";
import type { Failure } from "#lib/webhooks/delivery-states.ts";
import { connect } from "#lib/webhooks/connect.ts";
import type { Connection } from "#lib/webhooks/connect.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { keepIdle, takeIdle } from "#lib/webhooks/internal/idle-connections.ts";
import type { Place } from "#lib/webhooks/internal/idle-connections.ts";
import { SendFailure, toSendFailure } from "#lib/webhooks/internal/send-failure.ts";
import { timeLimit } from "#db/time-limits.ts";

const READ_MAX_BYTES = 65_536;
const KEPT_MAX_BYTES = 4_096;
const HEAD_MAX_BYTES = 16_384;
const DETAIL_MAX = 500;

/** A notification to send, byte for byte. */
export interface Outgoing {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The result of an attempt. Without a failure, it has arrived. */
export interface AttemptResult {
  failure: Failure | null;
  /** An explanation of the failure; null when the status says enough. */
  detail: string | null;
  /** The address connected to, or else the last one tried. */
  address: string | null;
  status: number | null;
  responseHeaders: Record<string, string> | null;
  /** The first 4 KiB of the answer's body at most, unpacked; `binary` if it is not text. */
  responseBody: string | null;
  retryAfterS: number | null;
  durationMs: number;
}

/** What is known about the receiver so far; it is kept when the attempt fails later. */
interface Seen extends Pick<AttemptResult, "address" | "status" | "responseHeaders"> {
  /** The beginning of the answer's body, as it came. */
  body: Buffer[];
}

/**
 * Attempts once to deliver a notification, in bounded time and memory. Never throws: every outcome is a result.
 * @param stop ends the attempt early when the worker stops.
 */
export async function send(
  outgoing: Outgoing,
  policy: EndpointPolicy,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const started = performance.now();
  const limit = new AbortController();
  const limitMs = timeLimit("webhookAttempt");
  const timer = setTimeout(() => {
    const detail = `The answer was not complete within ${limitMs / 1_000} s.`;
    limit.abort(new SendFailure("timed_out", detail));
  }, limitMs);
  const seen: Seen = { address: null, status: null, responseHeaders: null, body: [] };
  const signal = AbortSignal.any([limit.signal, stop]);
  const place = { url: outgoing.url, policy };
  const failure = await exchange(outgoing, { place, seen, signal }).then(
    () => null,
    // An attempt that we ended appears as a lost connection at a lower level, so report our own reason.
    (error: unknown) => toSendFailure(signal.aborted ? signal.reason : error, "connection_lost"),
  );
  clearTimeout(timer);
  return toResult(seen, failure, Math.round(performance.now() - started));
}

interface Attempt {
  place: Place;
  seen: Seen;
  signal: AbortSignal;
}

/**
 * Sends over an idle connection if there is one. The receiver may be closing that connection: if no answer comes, the
 * notification is sent again over a new one. It may then arrive twice, as with any retry.
 */
async function exchange(outgoing: Outgoing, attempt: Attempt): Promise<void> {
  const { place, seen, signal } = attempt;
  const waiting = takeIdle(place);
  if (waiting) {
    try {
      return await exchangeOver(waiting, outgoing, attempt);
    } catch (error) {
      if (signal.aborted || seen.status !== null) {
        throw error;
      }
    }
  }
  const onTry = (address: string) => {
    seen.address = address;
  };
  const connection = await connect(place.url, place.policy, { signal, onTry });
  return exchangeOver(connection, outgoing, attempt);
}

async function exchangeOver(
  connection: Connection,
  outgoing: Outgoing,
  { place, seen, signal }: Attempt,
): Promise<void> {
  const { socket, address } = connection;
  seen.address = address;
  const use = { isOver: false };
  const free = () => {
    use.isOver = true;
  };
  // node:http emits this event when the exchange is over and both sides leave the connection open.
  socket.once("free", free);
  const abort = () => socket.destroy(toSendFailure(signal.reason, "connection_lost"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    const response = await awaitResponse(post(connection, outgoing));
    Object.assign(seen, toHead(response));
    await readBody(response, seen.body);
  } finally {
    signal.removeEventListener("abort", abort);
    socket.off("free", free);
    if (use.isOver) {
      keepIdle(place, connection);
    } else {
      socket.destroy();
    }
  }
}

function post({ url, socket }: Connection, { headers, body }: Outgoing): ClientRequest {
  const bytes = Buffer.from(body, "utf8");
  const posted = request({
    createConnection: () => socket,
    method: "POST",
    path: `${url.pathname}${url.search}`,
    headers: {
      Host: url.host,
      ...headers,
      Connection: "keep-alive",
      "Content-Length": bytes.length,
    },
    setHost: false,
    maxHeaderSize: HEAD_MAX_BYTES,
  });
  posted.end(bytes);
  return posted;
}

function awaitResponse(posted: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  posted.once("response", resolve);
  // This listener stays: once there is an answer, an error in sending the rest of the request changes nothing.
  posted.on("error", reject);
  posted.once("close", () =>
    reject(new SendFailure("connection_lost", "The connection was closed.")),
  );
  return promise;
}

function toHead(response: IncomingMessage): Pick<Seen, "status" | "responseHeaders"> {
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return { status: response.statusCode ?? 0, responseHeaders: Object.fromEntries(headers) };
}

/** Reads to the end or to the limit, whichever comes first, and keeps the beginning. */
function readBody(response: IncomingMessage, kept: Buffer[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let read = 0;
  response.on("data", (chunk: Buffer) => {
    if (read < KEPT_MAX_BYTES) {
      kept.push(chunk);
    }
    read += chunk.length;
    if (read >= READ_MAX_BYTES) {
      resolve();
      response.destroy();
    }
  });
  response.once("end", () => resolve());
  response.on("error", (error) => reject(toSendFailure(error, "connection_lost")));
  response.once("close", () => {
    reject(new SendFailure("connection_lost", "The connection ended before the answer did."));
  });
  return promise;
}

function toResult(
  { body, ...seen }: Seen,
  broken: SendFailure | null,
  durationMs: number,
): AttemptResult {
  // A status that means failure is more informative than how the rest of its answer ended.
  const judged = seen.status === null ? null : toFailure(seen.status);
  return {
    ...seen,
    responseBody: body.length === 0 ? null : toReadable(Buffer.concat(body), seen.responseHeaders),
    failure: judged ?? broken?.failure ?? null,
    detail: broken ? toText(broken.message).slice(0, DETAIL_MAX) : null,
    retryAfterS: toSeconds(seen.responseHeaders?.["retry-after"]),
    durationMs,
  };
}

/** An answer as text, cut to what is kept. Some receivers compress without being asked. */
function toReadable(body: Buffer, headers: AttemptResult["responseHeaders"]): string {
  const [, charset = "utf-8"] =
    /charset="?([^\s";]+)/iu.exec(headers?.["content-type"] ?? "") ?? [];
  try {
    const bytes = unpack(body.subarray(0, KEPT_MAX_BYTES), headers?.["content-encoding"]);
    const kept = bytes.subarray(0, KEPT_MAX_BYTES);
    // A character that the cut divides is left out.
    return toText(new TextDecoder(charset, { fatal: true }).decode(kept, { stream: true }));
  } catch {
    return "binary";
  }
}

/** Unpacks as much as the beginning of a body holds: at most 4 MB, because one byte unpacks to at most 1,032. */
function unpack(beginning: Buffer, encoding = ""): Buffer {
  return /^(?:gzip|x-gzip|deflate)$/iu.test(encoding)
    ? unzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH })
    : beginning;
}

/** The database cannot store U+0000. */
function toText(text: string): string {
  return text.replaceAll("\0", "\u{fffd}");
}

/** The meaning of a status; only 2xx counts as delivered. */
function toFailure(status: number): Failure | null {
  if (status >= 200 && status < 300) {
    return null;
  }
  if (status === 410) {
    return "gone";
  }
  if (status === 429) {
    return "rate_limited";
  }
  if (status >= 300 && status < 400) {
    return "redirected";
  }
  return status >= 500 ? "server_failed" : "rejected";
}

/** `Retry-After` in seconds from now, in either of its two forms (RFC 9110). */
function toSeconds(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) {
    return null;
  }
  if (/^[0-9]{1,9}$/u.test(retryAfter)) {
    return Number(retryAfter);
  }
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, Math.round((at - Date.now()) / 1_000));
}
