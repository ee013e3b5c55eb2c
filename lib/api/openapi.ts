import { z } from "zod";
import type { Operation } from "#lib/api/contract/operation.ts";
import { OPERATIONS } from "#lib/api/contract/operations.ts";
import { problemSchema } from "#lib/api/contract/resources.ts";
import { PROBLEMS } from "#lib/api/problem.ts";
import { sessionCookieName } from "#lib/auth/session.ts";
import { API_VERSION_NEWEST } from "#lib/api-versions.ts";
import type { ErrorCode } from "#lib/errors.ts";

/** What every operation with a credential may answer besides its own refusals. */
const SHARED_ERRORS: readonly ErrorCode[] = [
  "credential_missing",
  "credential_invalid",
  "scope_missing",
  "version_unknown",
  "rate_limited",
  "internal_error",
  "database_unavailable",
];
const BODY_ERRORS: readonly ErrorCode[] = [
  "request_malformed",
  "body_too_large",
  "content_type_unsupported",
  "validation_failed",
];
const KEY_ERRORS: readonly ErrorCode[] = [
  "idempotency_key_required",
  "idempotency_key_malformed",
  "idempotency_key_reused",
  "idempotency_in_progress",
];

/** The interface as an OpenAPI 3.1 document, made from the contract alone. */
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
      schemas: toComponents(),
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
            content: { "application/json": { schema: toSchema(operation.body, "input") } },
          },
        }
      : {}),
    responses: { ...toSuccess(operation), ...toRefusals(operation) },
  };
}

function toSecurity({ scope, staffOnly }: Operation) {
  if (staffOnly) {
    return { security: [{ session: [] }] };
  }
  return scope === null ? { security: [] } : {};
}

function toParameters(operation: Operation) {
  const id = operation.path.includes("{id}")
    ? [{ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }]
    : [];
  const { properties = {} } = toSchema(operation.query, "input");
  const query = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema,
  }));
  const headers = [
    { name: "Api-Version", in: "header", required: false, schema: { type: "string" } },
    ...(isChange(operation)
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            required: false,
            schema: { type: "string", minLength: 1, maxLength: 255 },
          },
        ]
      : []),
  ];
  return [...id, ...query, ...headers];
}

function isChange(operation: Operation): boolean {
  return operation.kind === "write" || operation.kind === "funds";
}

function toSuccess(operation: Operation) {
  const type = toMediaType(operation);
  return {
    [operation.status]: {
      description: operation.summary,
      content: { [type]: { schema: toSchema(operation.answer, "output") } },
    },
  };
}

function toMediaType({ id, path }: Operation): string {
  if (path.startsWith("/exports/")) {
    return "text/csv";
  }
  return id === "getLiveness" ? "text/plain" : "application/json";
}

/** One entry a status, naming the codes that it may carry. */
function toRefusals(operation: Operation) {
  const codes = new Set<ErrorCode>([
    "validation_failed",
    ...(operation.scope || operation.staffOnly ? SHARED_ERRORS : ["internal_error" as const]),
    ...(operation.staffOnly ? ["origin_refused" as const, "second_factor_required" as const] : []),
    ...(operation.fresh ? ["fresh_sign_in_required" as const] : []),
    ...(operation.body ? BODY_ERRORS : []),
    ...(isChange(operation) ? KEY_ERRORS : []),
    ...(operation.sandboxOnly ? ["sandbox_only" as const] : []),
    ...(operation.since ? ["not_in_version" as const] : []),
    ...(operation.notFound ? [operation.notFound] : []),
    ...operation.errors,
  ]);
  const byStatus = Object.groupBy(codes, (code) => PROBLEMS[code].status);
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

/**
 * A schema as JSON Schema 2020-12. A resource with a name of its own is written once among the components, and referred
 * to from wherever it is used.
 */
function toSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, $defs: _named, ...made } = z.toJSONSchema(schema, TO_SCHEMA(io));
  return withComponentRefs(made);
}

/** Every resource with a name of its own. */
function toComponents(): Record<string, JsonSchema> {
  const schemas = [...OPERATIONS.map(({ answer }) => answer), problemSchema];
  const all = z.toJSONSchema(
    z.tuple([schemas[0] ?? problemSchema, ...schemas]),
    TO_SCHEMA("output"),
  );
  return withComponentRefs(all.$defs ?? {});
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

const TO_SCHEMA = (io: "input" | "output") => ({ io, unrepresentable: "any" }) as const;

function withComponentRefs<T>(made: T): T {
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (name, value: unknown) =>
    name === "id" && typeof value === "string" ? undefined : value,
  );
}
