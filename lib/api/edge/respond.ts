import type { Deprecation, Operation } from "#lib/operations/operation.ts";
import { compressed } from "#lib/api/edge/internal/compressed.ts";
import { recordRequest } from "#lib/api/edge/internal/record-request.ts";
import {
  isAtLeast,
  openRequestContext,
  readTraceparent,
} from "#lib/api/edge/internal/request-context.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { refusalOf, toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, StreamedAnswer, WireAnswer } from "#lib/api/wire/answer.ts";
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
  /**
   * The same answer for a server that sends it without a Response, which would cost more than the rest of sending it.
   */
  answer(request: Request, route: Route): Promise<WireAnswer>;
}

export interface Route {
  /** Next.js passes none for a path without an id. */
  params: Promise<Record<string, string> | undefined>;
  /** The network address the request came from. Next.js passes none. */
  address?: string;
}

/**
 * The route of an operation: opens the request's context, runs it with the id in its path, and responds with its answer
 * or its problem.
 */
export function toHandler(
  operation: Operation,
  run: (context: RequestContext, id: string) => Promise<Answer | StreamedAnswer>,
): Handler {
  const answer = async (request: Request, route: Route): Promise<WireAnswer> => {
    const context = openRequestContext(request, operation, route.address ?? null);
    return respond(context, async () => {
      if (operation.sandboxOnly && env().environment !== "sandbox") {
        throw sandboxOnly();
      }
      const { id = "", key } = (await route.params) ?? {};
      context.cardId = operation.path.startsWith("/cards/{id}") ? id : null;
      return run(context, key ?? id.toLowerCase());
    });
  };
  const handler = async (request: Request, route: Route) =>
    toResponse(await answer(request, route));
  return Object.assign(handler, { operation, answer });
}

export function toResponse({ body, ...head }: WireAnswer): Response {
  return new Response(body, head);
}

/** Runs the request and always answers it: a refusal as its problem, a crash as a bare 500. */
export async function respond(
  context: RequestContext,
  run: () => Promise<Answer | StreamedAnswer>,
): Promise<WireAnswer> {
  const requestId = context.origin.id;
  let thrown: unknown;
  const answer = await inRequestSpan(context, () =>
    run().catch((error: unknown) => {
      thrown = error;
      return toProblemAnswer(toRefusal(error, { requestId, ...context.trace }), {
        instance: context.path,
        requestId,
      });
    }),
  );
  await recordRequest(context, answer, thrown);
  return compressed(context, toWireAnswer(context, answer));
}

/** The status of an answer without a body, and so without the headers that describe one. */
const NOT_MODIFIED = 304;

function toWireAnswer(context: RequestContext, answer: Answer | StreamedAnswer): WireAnswer {
  const isBare = answer.status === NOT_MODIFIED;
  return {
    status: answer.status,
    headers: toHeaders(context, answer, isBare ? null : answer.contentType),
    body: "stream" in answer ? answer.stream : isBare ? null : answer.body,
  };
}

function toHeaders(
  context: RequestContext,
  answer: Answer,
  contentType: string | null,
): Record<string, string> {
  const { clientRequestId } = context.trace;
  const headers: Record<string, string> = {};
  if (contentType !== null) {
    headers["content-type"] = contentType;
  }
  headers["x-request-id"] = context.origin.id;
  if (clientRequestId) {
    headers["x-client-request-id"] = clientRequestId;
  }
  headers["cache-control"] = "no-store";
  headers["x-content-type-options"] = "nosniff";
  headers["api-version"] = context.version;
  for (const more of [toDeprecationHeaders(context), context.headers, answer.headers]) {
    for (const name of Object.keys(more)) {
      headers[name.toLowerCase()] = more[name] ?? "";
    }
  }
  if (answer.replayed) {
    headers["idempotent-replayed"] = "true";
  }
  return headers;
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

/** The metrics' name for requests to a path or a method that does not exist. */
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
