import { readTraceparent } from "#lib/api/edge/trace.ts";
import type { RequestContext } from "#lib/api/edge/request-context.ts";
import {
  forgetRequestSpan,
  inSpan,
  isTracing,
  keepRequestSpan,
  startSpan,
} from "#lib/base/tracing.ts";

/** The name of requests for a path or a method that does not exist. */
const UNKNOWN = "unknown";
const SERVER_ERRORS_FROM = 500;

/** An answer as a span describes it. */
interface Answered {
  status: number;
  /** The code of a refusal, or null. */
  code: string | null;
}

/**
 * Answers a request within its server span, which continues the caller's trace. The work may not throw.
 * @param describe what the span says of the answer.
 */
export async function inRequestSpan<Answer>(
  context: RequestContext,
  answer: () => Promise<Answer>,
  describe: (answer: Answer) => Answered,
): Promise<Answer> {
  const span = isTracing() ? startRequestSpan(context) : null;
  if (span === null) {
    return inSpan(null, answer);
  }
  const { id } = context.origin;
  keepRequestSpan(id, span);
  context.trace.traceId ??= span.traceparent.split("-")[1] ?? null;
  const answered = await inSpan(span, answer);
  forgetRequestSpan(id);
  const { status, code } = describe(answered);
  span.end(
    {
      "http.response.status_code": status,
      ...(code === null ? {} : { "floatdeck.error_code": code }),
    },
    status >= SERVER_ERRORS_FROM ? (code ?? String(status)) : null,
  );
  return answered;
}

function startRequestSpan({ operation, request, origin }: RequestContext) {
  return startSpan({
    name: operation?.id ?? UNKNOWN,
    kind: "server",
    parent: readTraceparent(request)?.text ?? null,
    attributes: {
      "http.request.method": request.method,
      ...(operation ? { "http.route": `/api${operation.path}` } : {}),
      "floatdeck.request_id": origin.id,
    },
  });
}
