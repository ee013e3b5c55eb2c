import type { Operation } from "#lib/operations/operation.ts";
import { takesIdempotencyKey, takesIfMatch } from "#lib/operations/refusals.ts";
import { IDEMPOTENCY_KEY } from "#lib/api/contract/header-parameters.ts";
import { GLOSSARY } from "#lib/api/contract/glossary.ts";
import type { ShownExample } from "#lib/operations/operation.ts";
import { toRequestSchema } from "#lib/api/openapi/schemas.ts";
import type { JsonSchema } from "#lib/api/openapi/schemas.ts";
import type { NotFoundCode } from "#lib/base/errors.ts";

const PATH_PARAMETERS = { id: { type: "string", format: "uuid" }, key: IDEMPOTENCY_KEY };

/** What the id in a path identifies, by the error code for an unknown id. */
const IDS: Readonly<Record<NotFoundCode, string>> = {
  api_key_not_found: "The id of the API key.",
  approval_not_found: "The id of the approval.",
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
      ...(required.includes(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema: value,
      ...toStyle(value),
      ...toExample(value, query[name]),
    };
  });
}

/** A query is text; its schema describes the meaning of the text. */
function toExample({ type }: JsonSchema, text: string | undefined) {
  if (text === undefined) {
    return {};
  }
  if (type === "integer") {
    return { example: Number(text) };
  }
  return { example: type === "array" ? text.split(",") : text };
}

/** How a value with several parts is written: `metadata[order_id]=4711`, and `status=active,frozen`. */
function toStyle({ type }: JsonSchema) {
  if (type === "object") {
    return { style: "deepObject", explode: true };
  }
  return type === "array" ? { style: "form", explode: false } : {};
}
