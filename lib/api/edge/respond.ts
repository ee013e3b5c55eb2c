import { hasRoomForBodies, logRequest } from "#lib/api/edge/api-log.ts";
import type { LoggedRequest } from "#lib/api/edge/api-log-rows.ts";
import { keepBodies } from "#lib/api/edge/kept-bodies.ts";
import type { Deprecation } from "#lib/api/contract/operation.ts";
import { auditRefusal } from "#lib/api/edge/refused-attempts.ts";
import { isAtLeast } from "#lib/api/edge/request-context.ts";
import type { RequestContext } from "#lib/api/edge/request-context.ts";
import { inRequestSpan } from "#lib/api/edge/request-span.ts";
import { setText } from "#lib/api/edge/written.ts";
import { toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, StreamedAnswer } from "#lib/api/wire/answer.ts";
import { findIdempotencyKey } from "#lib/api/replay/idempotency-keys.ts";
import { toRefusal } from "#lib/api/wire/problem.ts";
import { isId } from "#lib/base/ids.ts";
import { requestAnswered } from "#lib/base/signals.ts";
import { REFUSED_FROM } from "#lib/record/request-classes.ts";

/** An answer without a body, and so without the headers that describe one. */
const NOT_MODIFIED = 304;

/** Runs the request and always answers it: a refusal as its problem, a crash as a bare 500. */
export async function respond(
  context: RequestContext,
  run: () => Promise<Answer | StreamedAnswer>,
): Promise<Response> {
  const answerOrProblem = () =>
    run().catch((error: unknown) =>
      toProblemAnswer(toRefusal(error, { requestId: context.origin.id, ...context.trace }), {
        instance: context.path,
        requestId: context.origin.id,
      }),
    );
  const answer = await inRequestSpan(context, answerOrProblem, (answered) => ({
    status: answered.status,
    code: toRefusalOf(answered).code,
  }));
  const refusal = toRefusalOf(answer);
  const durationMs = performance.now() - context.startedAt;
  requestAnswered.report({
    operation: context.operation?.id ?? null,
    status: answer.status,
    code: refusal.code,
    durationMs: durationMs - context.waitedMs,
  });
  writeLog(context, answer, { ...refusal, durationMs: Math.round(durationMs) });
  await auditRefusal(context, answer);
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
  return "stream" in answer ? response : setText(response, answer.body);
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

function writeLog(
  context: RequestContext,
  answer: Answer,
  known: Pick<LoggedRequest, "code" | "detail" | "durationMs">,
): void {
  const actor = context.credential?.actor;
  if (!actor || context.operation?.logged === false) {
    return;
  }
  logRequest({
    integratorId: actor.kind === "member" ? actor.integratorId : null,
    actor: actor.ref,
    operation: context.operation?.id ?? null,
    method: context.request.method,
    path: context.path,
    status: answer.status,
    ...known,
    cardId: toCardId(context),
    waitedMs: Math.round(context.waitedMs),
    requestId: context.origin.id,
    address: context.origin.address,
    apiVersion: context.version,
    idempotencyKey: findIdempotencyKey(context.request) ?? null,
    replayed: answer.replayed,
    bodies: keepBodies(context, answer, hasRoomForBodies),
  });
}

function toCardId({ cardId }: RequestContext): string | null {
  return cardId !== null && isId(cardId) ? cardId : null;
}

/** A repeated answer is only a text: the code of a refusal is in it. */
function toRefusalOf({ code, detail, replayed, status, body }: Answer) {
  if (!replayed || status < REFUSED_FROM) {
    return { code, detail };
  }
  const problem: Partial<Record<"code" | "detail", unknown>> = JSON.parse(body);
  return { code: toText(problem.code), detail: toText(problem.detail) };
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
