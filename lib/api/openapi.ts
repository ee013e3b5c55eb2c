import type { Operation } from "#lib/api/contract/operation.ts";
import { OPERATIONS } from "#lib/api/contract/operations.ts";
import { declaredErrors, takesIdempotencyKey } from "#lib/api/contract/refusals.ts";
import { problemSchema } from "#lib/api/contract/resources.ts";
import { toAnswerSchema, toComponents, toRequestSchema } from "#lib/api/openapi/schemas.ts";
import { PROBLEMS } from "#lib/api/wire/problem.ts";
import { sessionCookieName } from "#lib/auth/session.ts";
import { API_VERSION_NEWEST } from "#lib/base/api-versions.ts";

/** The API as an OpenAPI 3.1 document, generated from the contract alone. */
export function toOpenApi(publicUrl: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Floatdeck",
      version: API_VERSION_NEWEST,
      description:
        "Cards and the float that funds them. Amounts are integers in the currency's minor unit; times are RFC 3339 in UTC.",
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }, { session: [] }],
    paths: toPaths(),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookieName(),
          description: "A signed-in person, from this server's own pages only.",
        },
      },
      schemas: toResources(),
    },
  };
}

function toPaths() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = toPathItem(operation);
  }
  return paths;
}

function toPathItem(operation: Operation) {
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.deprecation ? { deprecated: true } : {}),
    ...(operation.scope ? { "x-scope": operation.scope } : {}),
    ...(operation.since ? { "x-since": operation.since } : {}),
    ...toSecurity(operation),
    parameters: toParameters(operation),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.body.safeParse({}).success,
            content: { "application/json": { schema: toRequestSchema(operation.body) } },
          },
        }
      : {}),
    responses: {
      ...toSuccess(operation),
      ...toNotModified(operation),
      ...toRefusals(operation),
    },
  };
}

function toSecurity({ kind, staffOnly }: Operation) {
  if (staffOnly) {
    return { security: [{ session: [] }] };
  }
  return kind === "public" ? { security: [] } : {};
}

const IDEMPOTENCY_KEY = { type: "string", minLength: 1, maxLength: 255 };

const PATH_PARAMETERS = { id: { type: "string", format: "uuid" }, key: IDEMPOTENCY_KEY };

function toParameters(operation: Operation) {
  const path = Object.entries(PATH_PARAMETERS)
    .filter(([name]) => operation.path.includes(`{${name}}`))
    .map(([name, schema]) => ({ name, in: "path", required: true, schema }));
  const { properties = {} } = toRequestSchema(operation.query);
  const query = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema,
    ...(isObject(schema) ? { style: "deepObject", explode: true } : {}),
  }));
  const headers = [
    { name: "Api-Version", in: "header", required: false, schema: { type: "string" } },
    ...(takesIdempotencyKey(operation)
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            required: false,
            schema: IDEMPOTENCY_KEY,
          },
        ]
      : []),
  ];
  const conditions = operation.tagged
    ? [{ name: "If-None-Match", in: "header", required: false, schema: { type: "string" } }]
    : [];
  return [...path, ...query, ...headers, ...conditions];
}

function isObject(schema: unknown): boolean {
  return (
    typeof schema === "object" && schema !== null && "type" in schema && schema.type === "object"
  );
}

function toSuccess(operation: Operation) {
  const type = toMediaType(operation);
  return {
    [operation.status]: {
      description: operation.summary,
      ...(operation.tagged ? { headers: TAG_HEADERS } : {}),
      content: { [type]: { schema: toAnswerSchema(operation.answer) } },
    },
  };
}

const TAG_HEADERS = {
  ETag: {
    description: "Changes with the answer. Send it back in If-None-Match.",
    schema: { type: "string" },
  },
};

function toNotModified({ tagged }: Operation) {
  return tagged
    ? { 304: { description: "The client has this answer already.", headers: TAG_HEADERS } }
    : {};
}

function toMediaType({ id, path }: Operation): string {
  if (path.startsWith("/exports/")) {
    return "text/csv";
  }
  return id === "getLiveness" ? "text/plain" : "application/json";
}

/** One entry per status, listing its possible codes. */
function toRefusals(operation: Operation) {
  const byStatus = Object.groupBy(declaredErrors(operation), (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, named = []]) => [
      status,
      {
        description: named.join(", "),
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    ]),
  );
}

/** All named resources. */
function toResources() {
  return toComponents([problemSchema, ...OPERATIONS.map(({ answer }) => answer)]);
}
