/** The caller's own names for a request. Ours is `origin.id`; these two only help to find it. */
export interface Trace {
  /** The `X-Request-Id` that the caller sent, which the response returns as `X-Client-Request-Id`. */
  clientRequestId: string | null;
  /** The trace that the caller's `traceparent` belongs to (W3C Trace Context); without one, the trace of our own span. */
  traceId: string | null;
}

const CLIENT_REQUEST_ID = /^[\u0021-\u007e]{1,64}$/u;

/** Version, trace id, parent id, and flags. Later versions may append more; ids of zeros only are invalid. */
const TRACEPARENT =
  /^(?!ff)(?:00-(?=.{52}$)|(?!00)[0-9a-f]{2}-)(?<known>(?<traceId>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:-|$)/u;

/** Reads both names. One in another form is ignored: it must not fail a request that is otherwise right. */
export function readTrace(request: Request): Trace {
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
