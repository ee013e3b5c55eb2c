import type { Operation } from "#lib/operations/operation.ts";
import { takesIdempotencyKey, takesIfMatch } from "#lib/operations/refusals.ts";
import { GLOSSARY } from "#lib/api/contract/glossary.ts";
import type { ShownExample } from "#lib/operations/operation.ts";
import { toRequestSchema } from "#lib/api/openapi/schemas.ts";
import type { JsonSchema } from "#lib/api/openapi/schemas.ts";
import type { NotFoundCode } from "#lib/base/errors.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";

/** The visible ASCII characters that a key consists of. */
const IDEMPOTENCY_KEY = { type: "string", pattern: "^[!-~]{1,255}$" };

const PATH_PARAMETERS = { id: { type: "string", format: "uuid" }, key: IDEMPOTENCY_KEY };

/** What the id in a path names, by the error code for an unknown id. */
const IDS: Readonly<Record<NotFoundCode, string>> = {
  api_key_not_found: "The id of the API key.",
  authorization_not_found: "The id of the authorization.",
  card_not_found: GLOSSARY["card_id"],
  bulk_job_not_found: "The id of the bulk job.",
  delivery_not_found: "The id of the delivery.",
  endpoint_not_found: "The id of the endpoint.",
  event_not_found: "The id of the event.",
  integrator_not_found: "The id of your account.",
  link_not_found: "The id of the invitation.",
  request_not_found: "The id of the request's row in the API log.",
  session_not_found: "The id of the session.",
  staff_not_found: "The id of the member of staff.",
  transaction_not_found: "The id of the transaction.",
  user_not_found: GLOSSARY["user_id"],
  view_not_found: "The id of the view.",
};

const REF = "#/components/parameters/";

/** Headers that many operations take. */
export const COMMON_PARAMETERS = {
  ApiVersion: {
    name: "Api-Version",
    in: "header",
    required: false,
    description:
      "The version of the API to use; a leading v is accepted. Default: the account's version, or the newest where there is no account.",
    schema: { type: "string", enum: API_VERSIONS },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Unique per request: a repeat with the same key gets the first final answer, and nothing happens twice. An answer with Retry-After is not final; every other 4xx is. Required where the account says so.",
    schema: IDEMPOTENCY_KEY,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "The ETag of an earlier answer: 304 without a body while nothing has changed.",
    schema: { type: "string" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "ETags of the resource as you read it, or *. If it has changed since, the request is refused with precondition_failed. Without this header, it is changed whatever its state.",
    schema: { type: "string" },
  },
  ClientRequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description:
      "The caller's own id of the request. The answer returns it in X-Client-Request-Id. Any other form is ignored.",
    schema: { type: "string", pattern: "^[!-~]{1,64}$" },
  },
  Traceparent: {
    name: "traceparent",
    in: "header",
    required: false,
    description:
      "The caller's trace (W3C Trace Context). The server's log names it if the request fails, and webhooks continue it if the request is traced.",
    schema: { type: "string" },
  },
};

/** The parameters of an operation: its path, its query, and its headers. */
export function toParameters(operation: Operation, example: ShownExample) {
  return [
    ...toPathParameters(operation, example),
    ...toQueryParameters(operation, example),
    { $ref: `${REF}ApiVersion` },
    ...(takesIdempotencyKey(operation) ? [{ $ref: `${REF}IdempotencyKey` }] : []),
    ...(operation.tagged
      ? [{ $ref: `${REF}${takesIfMatch(operation) ? "IfMatch" : "IfNoneMatch"}` }]
      : []),
    { $ref: `${REF}ClientRequestId` },
    { $ref: `${REF}Traceparent` },
  ];
}

function toPathParameters({ path, notFound }: Operation, example: ShownExample) {
  const description =
    notFound === null ? "The Idempotency-Key that the request was sent with." : IDS[notFound];
  return Object.entries(PATH_PARAMETERS)
    .filter(([name]) => path.includes(`{${name}}`))
    .map(([name, schema]) => ({
      name,
      in: "path",
      required: true,
      description,
      schema,
      ...(example.id === undefined ? {} : { example: example.id }),
    }));
}

function toQueryParameters(operation: Operation, { query = {} }: ShownExample) {
  const { properties = {}, required = [] } = toRequestSchema(operation.query);
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...value } = Object(schema);
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: value,
      ...toStyle(value),
      ...toExample(value, query[name]),
    };
  });
}

/** A query is text; its schema describes what the text means. */
function toExample({ type }: JsonSchema, text: string | undefined) {
  if (text === undefined) {
    return {};
  }
  if (type === "integer") {
    return { example: Number(text) };
  }
  return { example: type === "array" ? text.split(",") : text };
}

/** How a value of several parts is written: `metadata[order_id]=4711`, and `status=active,frozen`. */
function toStyle({ type }: JsonSchema) {
  if (type === "object") {
    return { style: "deepObject", explode: true };
  }
  return type === "array" ? { style: "form", explode: false } : {};
}
