import type { Room } from "./rooms.ts";

/** The rooms of the HTTP API, which share the top floor. */
export const API_ROOMS: Readonly<Record<string, Room>> = {
  "api/contract": {
    holds: "what declarations are made of: schemas and filters",
    floor: 7,
    doors: [
      "changes.ts",
      "event-resources.ts",
      "fields.ts",
      "filters.ts",
      "resources.ts",
      "staff-resources.ts",
      "webhook-resources.ts",
    ],
  },
  operations: {
    holds: "every operation, declared once",
    floor: 7.05,
    doors: "all",
  },
  "api/wire": {
    holds: "rows become resources, refusals become problems",
    floor: 7.1,
    doors: [
      "answer.ts",
      "card-funds.ts",
      "deprecations.ts",
      "entity-tag.ts",
      "keyed-request.ts",
      "next-link.ts",
      "problem.ts",
      "processor-reply.ts",
      "resources.ts",
      "staff-resources.ts",
      "webhook-resources.ts",
    ],
  },
  "api/replay": {
    holds: "a repeat gets its first answer",
    floor: 7.2,
    doors: [
      "alone.ts",
      "batched-acts.ts",
      "idempotency-keys.ts",
      "key-lookup.ts",
      "perform.ts",
      "processor-references.ts",
      "store.ts",
    ],
  },
  "api/export": {
    holds: "CSV",
    floor: 7.2,
    doors: ["csv.ts", "export-tables.ts"],
  },
  "api/edge": {
    holds: "the way of a request: admit, read, perform, respond",
    floor: 7.3,
    doors: [
      "api-log.ts",
      "bind.ts",
      "handle-processor.ts",
      "handle-steps.ts",
      "handle.ts",
      "limited-body.ts",
      "limits.ts",
      "link-url.ts",
      "links.ts",
      "read-input.ts",
      "registration.ts",
      "refuse-unserved.ts",
      "validate.ts",
    ],
  },
  "api/openapi": {
    holds: "the parts of the OpenAPI document",
    floor: 7.35,
    doors: ["answers.ts", "notifications.ts", "parameters.ts", "schemas.ts"],
  },
  api: {
    holds: "router, OpenAPI document, changelog, browser client",
    floor: 7.4,
    doors: ["changelog.ts", "client.ts", "document-answer.ts", "openapi.ts", "router.ts"],
  },
  "api/client-package": {
    holds: "the client library and its command, which the server serves; their source",
    floor: 7.5,
    doors: ["client-call.ts", "package.ts"],
  },
  scenarios: {
    holds: "reads and runs the scenarios of docs/scenarios; browsers run them, too",
    floor: 7.6,
    doors: ["condition.ts", "expressions.ts", "run-scenario.ts", "scenario.ts", "scenarios.ts"],
  },
};
