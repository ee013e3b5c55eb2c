import type { Operation } from "#lib/operations/operation.ts";
import { API_VERSION_NEWEST, API_VERSIONS } from "#lib/base/api-versions.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";
import type { Credential } from "#lib/auth/authenticate.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { newRequestId } from "#lib/base/ids.ts";

/** One request in progress, and what is known about it so far. */
export interface RequestContext {
  request: Request;
  operation: Operation | null;
  url: URL;
  path: string;
  origin: RequestOrigin;
  startedAt: number;
  /** How much of that time the request waited because its caller asked it to, in milliseconds. */
  waitedMs: number;
  credential: Credential | null;
  version: ApiVersion;
  /** The card the request concerns, for the card's timeline. */
  cardId: string | null;
  headers: Record<string, string>;
  trace: Trace;
  sent: SentBody;
}

/** The body of a request as far as it has been read, for the API log. */
export type SentBody =
  /** Nothing was sent, or the operation has no body. */
  | { state: "none" }
  /** The request was refused before its body was read. */
  | { state: "unread" }
  /** It is not a JSON object that may be stored. */
  | { state: "malformed" }
  | { state: "read"; value: unknown; text: string };

const AGENT_MAX = 255;

/**
 * @param address the network address the request came from, which a Request does not carry; null where it is unknown.
 */
export function openRequestContext(
  request: Request,
  operation: Operation | null,
  address: string | null,
): RequestContext {
  const url = new URL(request.url);
  return {
    request,
    operation,
    url,
    path: url.pathname,
    origin: {
      id: newRequestId(),
      address,
      agent: request.headers.get("user-agent")?.slice(0, AGENT_MAX) ?? null,
    },
    startedAt: performance.now(),
    waitedMs: 0,
    credential: null,
    version: API_VERSION_NEWEST,
    cardId: null,
    headers: {},
    trace: readTrace(request),
    sent: { state: operation?.body ? "unread" : "none" },
  };
}

/** Whether `version` is `other` or later. */
export function isAtLeast(version: ApiVersion, other: ApiVersion): boolean {
  return API_VERSIONS.indexOf(version) >= API_VERSIONS.indexOf(other);
}

/** The caller's own names for a request. Our name is `origin.id`; these two only help to find it. */
interface Trace {
  /** The `X-Request-Id` that the caller sent, which the response returns as `X-Client-Request-Id`. */
  clientRequestId: string | null;
  /**
   * The trace that the caller's `traceparent` belongs to (W3C Trace Context); without one, the trace of our own span.
   */
  traceId: string | null;
}

const CLIENT_REQUEST_ID = /^[\u0021-\u007e]{1,64}$/u;

/** Version, trace id, parent id, and flags. Later versions may append more; ids of zeros only are invalid. */
const TRACEPARENT =
  /^(?!ff)(?:00-(?=.{52}$)|(?!00)[0-9a-f]{2}-)(?<known>(?<traceId>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:-|$)/u;

/** Reads both names. A malformed one is ignored, because it must not fail a request that is otherwise valid. */
function readTrace(request: Request): Trace {
  const id = request.headers.get("x-request-id");
  return {
    clientRequestId: id !== null && CLIENT_REQUEST_ID.test(id) ? id : null,
    traceId: readTraceparent(request)?.traceId ?? null,
  };
}

/** The caller's `traceparent`, in the form of version 00; null when it sent none, or one in another form. */
export function readTraceparent({ headers }: Request): { traceId: string; text: string } | null {
  const { traceId, known } = TRACEPARENT.exec(headers.get("traceparent") ?? "")?.groups ?? {};
  return traceId && known ? { traceId, text: `00-${known}` } : null;
}
