import { z } from "zod";
import { jsonSchema, operationSchema } from "./schema.ts";
import type { DocumentedOperation, JsonSchema } from "./schema.ts";
import { toOpenApi } from "#lib/api/openapi.ts";
import { toWholeDocument } from "#lib/api/openapi/whole-document.ts";
import { env } from "#lib/base/env.ts";

/** The parts of the document that `/api/openapi.json` serves and the reference shows. */
export interface ApiDocument {
  operations: ReadonlyMap<string, DocumentedOperation>;
  /** The notification of each event, by the event's name. */
  events: ReadonlyMap<string, DocumentedOperation>;
  schemas: Readonly<Record<string, JsonSchema>>;
}

const METHODS: ReadonlySet<string> = new Set(["get", "post", "patch", "put", "delete"]);

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  webhooks: z.record(z.string(), z.object({ post: operationSchema })),
  components: z.object({ schemas: z.record(z.string(), jsonSchema) }),
});

let read: ApiDocument | undefined;

/** Reads the document, which stays the same while the server runs. */
export function readDocument(): ApiDocument {
  read ??= toDocument(toOpenApi(env().publicUrl));
  return read;
}

function toDocument(served: object): ApiDocument {
  const whole = documentSchema.parse(JSON.parse(toWholeDocument(served)));
  const operations = Object.values(whole.paths)
    .flatMap((item) => Object.entries(item))
    .filter(([method]) => METHODS.has(method))
    .map(([, given]) => operationSchema.parse(given));
  return {
    operations: new Map(operations.map((operation) => [operation.operationId, operation])),
    events: new Map(Object.entries(whole.webhooks).map(([name, { post }]) => [name, post])),
    schemas: whole.components.schemas,
  };
}
