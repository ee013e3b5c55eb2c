import type { Operation } from "#lib/api/contract/operation.ts";
import { API_VERSION_NEWEST, API_VERSIONS } from "#lib/base/api-versions.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";
import type { Credential } from "#lib/auth/authenticate.ts";
import { readTrace } from "#lib/api/edge/trace.ts";
import type { Trace } from "#lib/api/edge/trace.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { newRequestId } from "#lib/base/ids.ts";

/** One request in progress, and what is known about it so far. */
export interface RequestContext {
  request: Request;
  operation: Operation | null;
  path: string;
  origin: RequestOrigin;
  startedAt: number;
  /** How much of the time since then the request waited because its caller asked it to, in milliseconds. */
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

/** A Request does not carry the network address it came from. */
const addresses = new WeakMap<Request, string>();

/** Records the network address a request came from, for `origin.address`; null where the server cannot determine it. */
export function setPeer(request: Request, address: string): void {
  addresses.set(request, address);
}

export function openRequestContext(request: Request, operation: Operation | null): RequestContext {
  return {
    request,
    operation,
    path: new URL(request.url).pathname,
    origin: {
      id: newRequestId(),
      address: addresses.get(request) ?? null,
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
