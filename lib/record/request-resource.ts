import type { BODY_FORMS } from "#lib/record/request-classes.ts";
import type { DetailedRequest, LoggedRequest } from "#lib/record/request-log.ts";

export function toLoggedRequestResource(request: LoggedRequest) {
  return {
    id: request.id,
    actor: request.actor,
    operation: request.operation,
    method: request.method,
    path: request.path,
    status: request.status,
    code: request.code,
    detail: request.detail,
    card_id: request.cardId,
    duration_ms: request.durationMs,
    request_id: request.requestId,
    address: request.address,
    api_version: request.apiVersion,
    idempotency_key: request.idempotencyKey,
    replayed: request.replayed,
    created_at: request.createdAt.toISOString(),
  };
}

/** The request as stored, except that `bodies` is `expired` once kept bodies are gone. */
export function toDetailedRequestResource(request: DetailedRequest) {
  const { request: sent, response: answered, bodies } = request;
  const isExpired = bodies === "kept" && sent === null;
  return {
    ...toLoggedRequestResource(request),
    bodies: isExpired ? ("expired" as const) : bodies,
    request: toKeptBody(sent),
    response: toKeptBody(answered),
  };
}

/** A body of the API log. */
export interface KeptBody {
  form: (typeof BODY_FORMS)[number];
  unknown_members: number;
  /** The body byte for byte; null unless it is whole and short. */
  text: string | null;
  /** The body as JSON; null if there is none. */
  body: unknown;
}

interface StoredBody extends Pick<KeptBody, "form" | "unknown_members"> {
  text?: string;
  body?: unknown;
}

function toKeptBody(text: string | null): KeptBody | null {
  if (text === null) {
    return null;
  }
  const stored: StoredBody = JSON.parse(text);
  const exact = stored.text ?? null;
  return {
    form: stored.form,
    unknown_members: stored.unknown_members,
    text: exact,
    body: exact === null ? (stored.body ?? null) : JSON.parse(exact),
  };
}
