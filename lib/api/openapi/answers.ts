import type { Operation } from "#lib/operations/operation.ts";
import { declaredErrors, takesIdempotencyKey, takesIfMatch } from "#lib/operations/refusals.ts";
import type { ShownExample } from "#lib/operations/operation.ts";
import { approvalAnswer } from "#lib/api/contract/approval.ts";
import type { JsonSchema } from "#lib/api/openapi/schemas.ts";
import { toAnswerSchema } from "#lib/api/openapi/schemas.ts";
import { ERROR_CODES, PROBLEMS } from "#lib/base/error-codes.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";

const ANSWER_HEADERS = {
  RequestId: toHeader("The server's id of the request, as logs, problems, and events name it.", {
    type: "string",
    format: "uuid",
  }),
  ApiVersion: toHeader("The version of the API that answered.", {
    type: "string",
    enum: API_VERSIONS,
  }),
  IdempotentReplayed: toHeader("Present when this is the first answer to the key, repeated.", {
    type: "string",
    const: "true",
  }),
  ETag: toHeader(
    "Changes with the answer. Send it back in If-None-Match of a read, or in If-Match of a change.",
  ),
  CacheControl: toHeader("How long the answer may be kept."),
  Link: toHeader("The next page (rel=next), or what replaces a deprecated operation (RFC 8288)."),
  Deprecation: toHeader("Since when the operation is deprecated (RFC 9745)."),
  Sunset: toHeader(
    "When a deprecated operation stops working; absent until that is decided (RFC 8594).",
  ),
  WwwAuthenticate: toHeader("The scheme to authenticate with."),
  RetryAfter: toHeader("This answer is not final: repeat the request after so many seconds.", {
    type: "integer",
    minimum: 1,
  }),
  RateLimit: toHeader("How many requests the server that answered still accepts (IETF draft)."),
  RateLimitPolicy: toHeader(
    "The rate limit of all servers together, where there is one (IETF draft). In the sandbox, the request header Simulate-Limit sets it: 1 to 100 requests per second.",
  ),
};

function toHeader(description: string, schema: object = { type: "string" }) {
  return { description, schema };
}

const REF = "#/components/headers/";

/** The components of the headers that these answers refer to, by name. */
export function toHeaderComponents(answers: unknown) {
  const text = JSON.stringify(answers);
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).filter(([name]) => text.includes(`"${REF}${name}"`)),
  );
}

const NAMES: Readonly<Record<keyof typeof ANSWER_HEADERS, string>> = {
  RequestId: "X-Request-Id",
  ApiVersion: "Api-Version",
  IdempotentReplayed: "Idempotent-Replayed",
  ETag: "ETag",
  CacheControl: "Cache-Control",
  Link: "Link",
  Deprecation: "Deprecation",
  Sunset: "Sunset",
  WwwAuthenticate: "WWW-Authenticate",
  RetryAfter: "Retry-After",
  RateLimit: "RateLimit",
  RateLimitPolicy: "RateLimit-Policy",
};

type HeaderName = keyof typeof ANSWER_HEADERS;

/** The headers of every answer. The parameter X-Request-Id says which header returns it. */
const ALWAYS: readonly HeaderName[] = ["RequestId", "ApiVersion"];

function toHeaders(names: readonly HeaderName[]) {
  return Object.fromEntries(
    [...ALWAYS, ...names].map((name) => [NAMES[name], { $ref: `${REF}${name}` }]),
  );
}

/** Everything an operation may answer: its success, 304, and one entry per status of its refusals. */
export function toAnswers(operation: Operation, example: ShownExample) {
  return {
    [operation.status]: toSuccess(operation, example),
    ...(operation.approval === null || operation.status === 202 ? {} : { 202: NEEDS_APPROVAL }),
    ...(operation.tagged && !takesIfMatch(operation)
      ? {
          304: {
            description: "The client has this answer already.",
            headers: toHeaders(["ETag"]),
          },
        }
      : {}),
    ...toRefusals(operation),
  };
}

const NEEDS_APPROVAL = {
  description: "Nothing has happened yet: somebody else must approve it.",
  headers: toHeaders(["IdempotentReplayed", "RateLimit", "RateLimitPolicy"]),
  content: { "application/json": { schema: toAnswerSchema(approvalAnswer) } },
};

/** A job is answered with 202 whether or not it needs approval. */
function toSuccessSchema({ answer, approval, status }: Operation): JsonSchema {
  const own = toAnswerSchema(answer);
  return approval !== null && status === 202
    ? { anyOf: [own, toAnswerSchema(approvalAnswer)] }
    : own;
}

function toSuccess(operation: Operation, { answer }: ShownExample) {
  return {
    description: "Success.",
    headers: toHeaders(toSuccessHeaders(operation)),
    content: {
      // Type generators copy the contents of `example`, line by line.
      [toMediaType(operation)]: {
        schema: toSuccessSchema(operation),
        examples: { example: { value: answer } },
      },
    },
  };
}

function toSuccessHeaders(operation: Operation): HeaderName[] {
  const { tagged, cached, linked, deprecation, kind } = operation;
  const present: Partial<Record<HeaderName, boolean>> = {
    ETag: tagged,
    CacheControl: cached,
    Link: linked || deprecation !== null,
    Deprecation: deprecation !== null,
    Sunset: deprecation !== null,
    IdempotentReplayed: takesIdempotencyKey(operation) || kind === "processor",
    RateLimit: kind !== "public",
    RateLimitPolicy: kind !== "public",
  };
  return HEADER_NAMES.filter((name) => present[name]);
}

const HEADER_NAMES: readonly HeaderName[] = [
  "IdempotentReplayed",
  "ETag",
  "CacheControl",
  "Link",
  "Deprecation",
  "Sunset",
  "RateLimit",
  "RateLimitPolicy",
];

function toMediaType({ id, path }: Operation): string {
  if (path.startsWith("/exports/")) {
    return "text/csv";
  }
  return id === "getLiveness" ? "text/plain" : "application/json";
}

const REFUSAL_HEADERS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ["WwwAuthenticate"],
  429: ["RetryAfter", "RateLimit", "RateLimitPolicy"],
  503: ["RetryAfter"],
};

const DEPRECATION_HEADERS: readonly HeaderName[] = ["Link", "Deprecation", "Sunset"];

/** One entry per status, listing its possible codes. */
function toRefusals(operation: Operation) {
  const declared = declaredErrors(operation);
  // In a fixed order, so that identical sets of refusals share a name.
  const inOrder = ERROR_CODES.filter((code) => declared.has(code));
  const byStatus = Object.groupBy(inOrder, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.join(", "),
        "x-error-codes": codes,
        headers: toHeaders([
          ...(REFUSAL_HEADERS[status] ?? []),
          ...(operation.deprecation ? DEPRECATION_HEADERS : []),
        ]),
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    ]),
  );
}
