import { API_VERSIONS } from "#lib/base/api-versions.ts";

/** The visible ASCII characters that a key consists of. */
export const IDEMPOTENCY_KEY = { type: "string", pattern: "^[!-~]{1,255}$" };

/** Headers that many operations take. */
export const COMMON_PARAMETERS = {
  ApiVersion: {
    name: "Api-Version",
    in: "header",
    description:
      "The version of the API to use; a leading v is accepted. Default: the account's version, or the newest where there is no account.",
    schema: { type: "string", enum: API_VERSIONS },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Unique per request: a repeat with the same key gets the first final answer, and nothing happens twice. An answer with Retry-After is not final; every other 4xx is. Required where the account says so.",
    schema: IDEMPOTENCY_KEY,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of an earlier answer: 304 without a body while nothing has changed.",
    schema: { type: "string" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "ETags of the resource as you read it, or *. If it has changed since, the request is refused with precondition_failed. Without this header, it is changed whatever its state.",
    schema: { type: "string" },
  },
  ClientRequestId: {
    name: "X-Request-Id",
    in: "header",
    description:
      "The caller's own id of the request. The answer returns it in X-Client-Request-Id. Any other form is ignored.",
    schema: { type: "string", pattern: "^[!-~]{1,64}$" },
  },
  Traceparent: {
    name: "traceparent",
    in: "header",
    description:
      "The caller's trace (W3C Trace Context). The server's log names it if the request fails, and webhooks continue it if the request is traced.",
    schema: { type: "string" },
  },
};
