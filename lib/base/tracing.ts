import { AsyncLocalStorage } from "node:async_hooks";
import { databaseCode } from "#db/failures.ts";

/** Which side of an exchange a span describes, in the words of OpenTelemetry. */
export type SpanKind = "server" | "internal" | "client";

/**
 * The attributes of a span. They never contain an integrator's data: no ids of records or people, no names, no amounts,
 * no addresses.
 */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  name: string;
  kind: SpanKind;
  /** The `traceparent` of the span that it continues; null starts a trace. */
  parent: string | null;
  attributes: SpanAttributes;
}

/** A part of a trace that is in progress. */
export interface Span {
  /** Identifies it in W3C Trace Context, for spans that continue it. */
  readonly traceparent: string;
  /** Links it to a span that it shares work with. */
  link(traceparent: string): void;
  /** @param failure what went wrong, as a code; null when nothing did. */
  end(attributes: SpanAttributes, failure: string | null): void;
}

/** @returns null if the span is not sampled. */
export type Tracer = (start: SpanStart) => Span | null;

/** Undefined when traces are off; every function below then costs only this check. */
let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span | null>();
const ofRequests = new Map<string, Span>();

/** Traces what this process does from now on; undefined ends that. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Starts a span now. Null when traces are off, or this one is not sampled. */
export function startSpan(start: SpanStart): Span | null {
  return tracer?.(start) ?? null;
}

/** Runs work whose statements belong to this span, or to none if it is null. */
export function inSpan<T>(span: Span | null, work: () => T): T {
  return span === currentSpan() ? work() : current.run(span, work);
}

/** The span that the running code belongs to. */
export function currentSpan(): Span | null {
  return current.getStore() ?? null;
}

/** Registers a request's span under the request's id, which all work for the request carries. */
export function keepRequestSpan(requestId: string, span: Span): void {
  ofRequests.set(requestId, span);
}

export function forgetRequestSpan(requestId: string): void {
  ofRequests.delete(requestId);
}

/** The span of a request in progress; undefined when it is not traced. */
export function findRequestSpan(requestId: string): Span | undefined {
  return ofRequests.size === 0 ? undefined : ofRequests.get(requestId);
}

/** The request that a commit belongs to, if it is not shared. */
const ALONE = "none";

/**
 * Commits requests within a span of their batch. It belongs to the trace of the first one that is traced; it and each
 * traced request link to each other.
 * @param queue the name of the queue whose requests share commits; undefined for a request that shares none.
 */
export function inCommitSpan<T>(
  calls: readonly { request: { id: string } }[],
  queue: string | undefined,
  commit: () => Promise<T>,
): Promise<T> {
  return isTracing() ? traceCommit(calls, queue ?? ALONE, commit) : commit();
}

async function traceCommit<T>(
  calls: readonly { request: { id: string } }[],
  queue: string,
  commit: () => Promise<T>,
): Promise<T> {
  const requests = calls.flatMap(({ request }) => findRequestSpan(request.id) ?? []);
  const span = startBatch(requests[0]?.traceparent, { queue, requests: calls.length });
  if (span === null) {
    // The commit span belongs to no single request.
    return inSpan(null, commit);
  }
  for (const request of requests) {
    request.link(span.traceparent);
    span.link(request.traceparent);
  }
  try {
    const committed = await inSpan(span, commit);
    span.end({}, null);
    return committed;
  } catch (error) {
    span.end({}, databaseCode(error) ?? "failed");
    throw error;
  }
}

function startBatch(
  parent: string | undefined,
  { queue, requests }: { queue: string; requests: number },
) {
  return parent === undefined
    ? null
    : startSpan({
        name: "commit",
        kind: "internal",
        parent,
        attributes: { "floatdeck.queue": queue, "floatdeck.batch_requests": requests },
      });
}
