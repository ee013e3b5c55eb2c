import type { Deprecation, Operation } from "#lib/api/contract/operation.ts";
import { recordRequest } from "#lib/api/edge/record-request.ts";
import { isAtLeast, openRequestContext, readTraceparent } from "#lib/api/edge/request-context.ts";
import type { RequestContext } from "#lib/api/edge/request-context.ts";
import { refusalOf, toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, StreamedAnswer } from "#lib/api/wire/answer.ts";
import { toRefusal } from "#lib/api/wire/problem.ts";
import { env } from "#lib/base/env.ts";
import { sandboxOnly } from "#lib/base/sandbox.ts";
import {
  forgetRequestSpan,
  inSpan,
  isTracing,
  keepRequestSpan,
  startSpan,
} from "#lib/base/tracing.ts";

/** An API route: a plain Fetch function that also names the operation it serves. */
export interface Handler {
  (request: Request, route: Route): Promise<Response>;
  operation: Operation;
}

export interface Route {
  /** Next.js passes none for a path without an id. */
  params: Promise<Record<string, string> | undefined>;
}

/**
 * Binds an operation to a route: opens the request context, runs the operation with the id in its
 * path, and writes the answer or the problem.
 */
export function bind(
  operation: Operation,
  run: (context: RequestContext, id: string) => Promise<Answer | StreamedAnswer>,
): Handler {
  const handler = async (request: Request, route: Route): Promise<Response> => {
    const context = openRequestContext(request, operation);
    return respond(context, async () => {
      if (operation.sandboxOnly && env().environment !== "sandbox") {
        throw sandboxOnly();
      }
      const { id = "", key } = (await route.params) ?? {};
      context.cardId = operation.path.startsWith("/cards/{id}") ? id : null;
      return run(context, key ?? id.toLowerCase());
    });
  };
  return Object.assign(handler, { operation });
}

/** Runs the request and always answers it: a refusal as its problem, a crash as a bare 500. */
export async function respond(
  context: RequestContext,
  run: () => Promise<Answer | StreamedAnswer>,
): Promise<Response> {
  const requestId = context.origin.id;
  const answer = await inRequestSpan(context, () =>
    run().catch((error: unknown) =>
      toProblemAnswer(toRefusal(error, { requestId, ...context.trace }), {
        instance: context.path,
        requestId,
      }),
    ),
  );
  await recordRequest(context, answer);
  return toResponse(context, answer);
}

/** An answer without a body, and so without the headers that describe one. */
const NOT_MODIFIED = 304;

/** The text of each answer, so that the server can write it without reading the stream back. */
const texts = new WeakMap<Response, string>();

/** The whole body of an API answer; undefined for a response made elsewhere. */
export function textOf(response: Response): string | undefined {
  return texts.get(response);
}

function toResponse(context: RequestContext, answer: Answer | StreamedAnswer): Response {
  const isBare = answer.status === NOT_MODIFIED;
  const { clientRequestId } = context.trace;
  const response = new Response("stream" in answer ? answer.stream : isBare ? null : answer.body, {
    status: answer.status,
    headers: {
      ...(isBare ? {} : { "Content-Type": answer.contentType }),
      "X-Request-Id": context.origin.id,
      ...(clientRequestId ? { "X-Client-Request-Id": clientRequestId } : {}),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "Api-Version": context.version,
      ...toDeprecationHeaders(context),
      ...context.headers,
      ...answer.headers,
      ...(answer.replayed ? { "Idempotent-Replayed": "true" } : {}),
    },
  });
  if (!("stream" in answer)) {
    texts.set(response, answer.body);
  }
  return response;
}

/** The headers of RFC 9745 and RFC 8594 and their links, from the contract. */
function toDeprecationHeaders({ operation, version }: RequestContext): Record<string, string> {
  const deprecation = operation?.deprecation;
  if (!deprecation || !isAtLeast(version, deprecation.since)) {
    return {};
  }
  return {
    Deprecation: `@${Math.floor(deprecation.at.getTime() / 1_000)}`,
    ...(deprecation.sunset ? { Sunset: deprecation.sunset.toUTCString() } : {}),
    Link: `<${toVersionPage(deprecation)}>; rel="deprecation", </api${deprecation.successor}>; rel="successor-version"`,
  };
}

/** The section of the page about versions that names the deprecation. */
function toVersionPage({ since }: Deprecation): string {
  return `/docs/versions#${since.replaceAll(".", "")}`;
}

/** The name of requests for a path or a method that does not exist. */
const UNKNOWN = "unknown";
const SERVER_ERRORS_FROM = 500;

/**
 * Answers a request within its server span, which continues the caller's trace. The work may not throw.
 */
async function inRequestSpan<Answered extends Answer>(
  context: RequestContext,
  answer: () => Promise<Answered>,
): Promise<Answered> {
  if (!isTracing()) {
    return answer();
  }
  const span = startRequestSpan(context);
  if (span === null) {
    return inSpan(null, answer);
  }
  const { id } = context.origin;
  keepRequestSpan(id, span);
  context.trace.traceId ??= span.traceparent.split("-")[1] ?? null;
  const answered = await inSpan(span, answer);
  forgetRequestSpan(id);
  const { status } = answered;
  const { code } = refusalOf(answered);
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
