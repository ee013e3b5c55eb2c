import type { Operation, ShownExample } from "#lib/operations/operation.ts";
import { GROUPS, OPERATIONS } from "#lib/operations/operations.ts";
import { toEventSchema } from "#lib/events/events.ts";
import { problemSchema } from "#lib/api/contract/problem.ts";
import { toAnswers, toHeaderComponents } from "#lib/api/openapi/answers.ts";
import { toNotifications } from "#lib/api/openapi/notifications.ts";
import { COMMON_PARAMETERS } from "#lib/api/contract/header-parameters.ts";
import { extendSchemas } from "#lib/api/openapi/extend-schemas.ts";
import { findShared } from "#lib/api/openapi/name-shared.ts";
import type { Described } from "#lib/api/openapi/name-shared.ts";
import { toParameters } from "#lib/api/openapi/parameters.ts";
import { nameSchemas } from "#lib/api/openapi/name-schemas.ts";
import { toComponents, toRequestSchema } from "#lib/api/openapi/schemas.ts";
import type { JsonSchema } from "#lib/api/openapi/schemas.ts";
import { sessionCookieName } from "#lib/auth/session.ts";
import { API_VERSION_NEWEST } from "#lib/base/api-versions.ts";
import { STAFF_ID_HEADER } from "#lib/base/page-person.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";

/** A signed-in person's credential: both members are needed. */
const SESSION = { session: [], staffId: [] };

/** The API as an OpenAPI 3.1 document, generated only from the contract and its examples. */
export function toOpenApi(publicUrl: string) {
  const requests = nameSchemas(toRequestSchemas());
  const { paths, webhooks, parameters, responses } = toShared(
    toPaths(requests.schemas),
    toNotifications(),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Floatdeck",
      version: API_VERSION_NEWEST,
      description:
        "Cards and the float that funds them. Amounts are integers in the currency's minor unit; times are RFC 3339 in UTC. Requests may contain only the members described here; later versions of the server can add members to answers and events.",
      contact: { name: "Floatdeck", url: `${publicUrl}/docs` },
      license: { name: "UNLICENSED", identifier: "LicenseRef-UNLICENSED" },
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }, SESSION],
    tags: GROUPS.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookieName(),
          description: "A signed-in person, from this server's own pages only.",
        },
        staffId: {
          type: "apiKey",
          in: "header",
          name: STAFF_ID_HEADER,
          description:
            "The ID of the person whose page sends the request. If someone else is signed in by then, it is refused.",
        },
      },
      parameters: { ...COMMON_PARAMETERS, ...parameters },
      responses,
      headers: toHeaderComponents({ paths, responses }),
      schemas: {
        ...extendSchemas(
          toComponents([
            problemSchema,
            ...OPERATIONS.map(({ answer }) => answer),
            ...EVENT_NAMES.map(toEventSchema),
          ]),
        ),
        ...requests.components,
      },
    },
  };
}

type Paths = Record<string, Record<string, ReturnType<typeof toPathItem>>>;

/** Names the parts that operations and notifications have in common. */
function toShared(paths: Paths, webhooks: ReturnType<typeof toNotifications>) {
  const placed = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    Object.values(item).map((described) => ({ path, described })),
  );
  const shared = findShared(placed);
  const inItem = <Item extends object>(item: Record<string, Item & Described>) =>
    Object.fromEntries(
      Object.entries(item).map(([method, each]) => [method, shared.toShared(each)]),
    );
  return {
    ...shared,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, inItem(item)])),
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([name, item]) => [name, inItem(item)]),
    ),
  };
}

type Requests = Readonly<Record<string, JsonSchema>>;

/** The schema of each body, by the operation's id. */
function toRequestSchemas(): Requests {
  return Object.fromEntries(
    OPERATIONS.flatMap(({ id, body }) => (body ? [[id, toRequestSchema(body)]] : [])),
  );
}

function toPaths(requests: Requests): Paths {
  const paths: Paths = {};
  for (const { name, operations } of GROUPS) {
    for (const operation of operations) {
      const path = (paths[operation.path] ??= {});
      path[operation.method.toLowerCase()] = toPathItem(operation, name, requests);
    }
  }
  return paths;
}

function toPathItem(operation: Operation, group: string, requests: Requests) {
  const [example] = operation.examples;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [group],
    ...(operation.deprecation ? { deprecated: true } : {}),
    ...(operation.scope ? { "x-scope": operation.scope } : {}),
    ...(operation.since ? { "x-since": operation.since } : {}),
    ...(operation.sandboxOnly ? { "x-sandbox-only": true } : {}),
    ...toSecurity(operation),
    parameters: toParameters(operation, example),
    ...toRequestBody(operation, example, requests),
    responses: toAnswers(operation, example),
  };
}

function toSecurity({ kind, staffOnly }: Operation) {
  if (staffOnly) {
    return { security: [SESSION] };
  }
  return kind === "public" ? { security: [] } : {};
}

function toRequestBody({ id, body }: Operation, example: ShownExample, requests: Requests) {
  if (!body) {
    return {};
  }
  return {
    requestBody: {
      required: !body.safeParse({}).success,
      content: {
        "application/json": { schema: requests[id], example: example.body ?? {} },
      },
    },
  };
}
