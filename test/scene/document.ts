import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { toWholeDocument } from "#lib/api/openapi/whole-document.ts";
import { call } from "./api-client.ts";

/** What of an operation in the served document the tests read. */
export interface DocumentedOperation {
  operationId: string;
  summary: string;
  parameters?: readonly { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<
    string,
    {
      content?: Record<string, { schema: object; examples?: { example: { value: unknown } } }>;
    }
  >;
}

/** What of the served document the tests read. */
export interface ServedDocument {
  openapi: string;
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

export async function readDocument(): Promise<ServedDocument> {
  const { text } = await call("GET /openapi.json");
  return JSON.parse(toWholeDocument(JSON.parse(text)));
}

/** Checks values against schemas of the document: null when a value fits, and otherwise why it does not. */
export function createChecker({ components }: ServedDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Compiling takes many times as long as validating, so each schema and each component is compiled once.
  ajv.addSchema({ components }, "document");
  const compiled = new WeakMap<object, ValidateFunction>();
  const compile = (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  return (schema: object, value: unknown): string | null => {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
}

/** Every operation of the document, by its id. */
export function toOperations({ paths }: ServedDocument): Map<string, DocumentedOperation> {
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(all.map((each) => [each.operationId, each]));
}
