import type { RequestOrigin } from "#lib/base/context.ts";
import { findRequestSpan, inSpan, isTracing, startSpan } from "#lib/base/tracing.ts";
import { databaseCode } from "#db/failures.ts";

/** Whose commit it is, when requests do not share it. */
const ALONE = "none";

/**
 * Commits requests within a span of their batch. It belongs to the trace of the first one that is traced; it and each
 * traced request link to each other.
 * @param queue the name of the queue whose requests share commits; undefined for a request that shares none.
 */
export function inCommitSpan<T>(
  calls: readonly { request: RequestOrigin }[],
  queue: string | undefined,
  commit: () => Promise<T>,
): Promise<T> {
  return isTracing() ? traceCommit(calls, queue ?? ALONE, commit) : commit();
}

async function traceCommit<T>(
  calls: readonly { request: RequestOrigin }[],
  queue: string,
  commit: () => Promise<T>,
): Promise<T> {
  const requests = calls.flatMap(({ request }) => findRequestSpan(request.id) ?? []);
  const span = startBatch(requests[0]?.traceparent, { queue, requests: calls.length });
  if (span === null) {
    // Not even in the span of the request whose arrival began the batch.
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
