import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** A JSON Schema as the served document writes it. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

interface Documented {
  operationId: string;
  security?: readonly Record<string, unknown>[];
  "x-scope"?: string;
  parameters: readonly { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Content };
  /** An answer without a body, such as 304, has no content. */
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
}

/** The parts of the served OpenAPI document that the fuzzer reads. */
export interface OpenApiDocument {
  security: readonly Record<string, unknown>[];
  paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** One operation of the served OpenAPI document. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  /** The names of the security schemes it takes; empty for a public one. */
  credentials: readonly string[];
  scope: string | null;
  /** The parameters in its query. */
  query: readonly { name: string; schema: Schema }[];
  body: Schema | null;
  takesIfMatch: boolean;
  /** The declared error codes by status. */
  codes: ReadonlyMap<number, ReadonlySet<string>>;
  /** Why an answer's body is not what the document says of this status and media type; null when it is. */
  findFault(answer: { status: number; mediaType: string; text: string }): string | null;
}

/** Reads the operations of a served document, each with a validator of its answers. */
export function readOperations(document: OpenApiDocument): DocumentedOperation[] {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const { components, security } = document;
  const toValidator = (schema: AnySchema) => {
    const validate = ajv.compile({ ...Object(schema), components });
    return (value: unknown) => (validate(value) ? null : ajv.errorsText(validate.errors));
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, documented]) => ({
      id: documented.operationId,
      method: method.toUpperCase(),
      path,
      credentials: (documented.security ?? security).flatMap(Object.keys),
      scope: documented["x-scope"] ?? null,
      query: documented.parameters.filter(({ in: place }) => place === "query"),
      body: documented.requestBody?.content["application/json"]?.schema ?? null,
      takesIfMatch: documented.parameters.some(({ name }) => name === "If-Match"),
      codes: readCodes(documented),
      findFault: toFaultFinder(documented, toValidator),
    })),
  );
}

function readCodes({ responses }: Documented): DocumentedOperation["codes"] {
  return new Map(
    Object.entries(responses).map(([status, { description }]) => [
      Number(status),
      new Set(description.split(", ")),
    ]),
  );
}

function toFaultFinder(
  { responses }: Documented,
  toValidator: (schema: Schema) => (value: unknown) => string | null,
): DocumentedOperation["findFault"] {
  const validators = new Map(
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, { schema }]) => [
        `${status} ${type}`,
        toValidator(schema),
      ]),
    ),
  );
  const bodiless = new Set(
    Object.entries(responses).flatMap(([status, { content }]) => (content ? [] : [status])),
  );
  return ({ status, mediaType, text }) => {
    if (bodiless.has(String(status))) {
      return text === "" ? null : `${status} has a body`;
    }
    const validate = validators.get(`${status} ${mediaType}`);
    if (!validate) {
      return `${status} ${mediaType} is not declared`;
    }
    return validate(mediaType.endsWith("json") ? JSON.parse(text) : text);
  };
}
