import { z } from "zod";
import { GLOSSARY } from "#lib/api/contract/glossary.ts";

/** A JSON Schema of the draft that OpenAPI 3.1 uses. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The schema of a request. Objects are closed, because the server refuses members that it does not know. A named
 * schema is a reference to its component.
 */
export function toRequestSchema(schema: z.ZodType): JsonSchema {
  return toSchema(schema, REQUEST);
}

/**
 * The schema of an answer. Objects are open: later versions of the server add members, and a client that checks
 * answers against the document must accept them.
 */
export function toAnswerSchema(schema: z.ZodType): JsonSchema {
  return toSchema(schema, ANSWER);
}

/** The named schemas among these answers and in them, by name. */
export function toComponents(schemas: readonly [z.ZodType, ...z.ZodType[]]): Components {
  const { $defs = {} } = z.toJSONSchema(z.tuple([...schemas]), ANSWER);
  return withComponentRefs($defs);
}

/** Schemas by their names. */
export type Components = Record<string, JsonSchema>;
type Options = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;

const REQUEST: Options = {
  io: "input",
  unrepresentable: "any",
  override: (made) => {
    useDocumented(made);
    leavePatternsOut(made);
  },
};

const ANSWER: Options = {
  io: "output",
  unrepresentable: "any",
  override: (made) => {
    useDocumented(made);
    leavePatternsOut(made);
    leaveBoundsOut(made);
    if (made.jsonSchema.additionalProperties === false) {
      delete made.jsonSchema.additionalProperties;
    }
  },
};

type Made = Parameters<NonNullable<Options["override"]>>[0];

/**
 * Some values are read from text, such as numbers in a query, or by our own code. With `document`, their schemas
 * describe what a client needs to know, and with `x-rule`, what JSON Schema cannot express.
 */
function useDocumented({ zodSchema, jsonSchema }: Made): void {
  const { document } = z.globalRegistry.get(zodSchema) ?? {};
  if (document === undefined) {
    return;
  }
  const { description, default: usual, "x-rule": rule } = jsonSchema;
  for (const name of Object.keys(jsonSchema)) {
    delete jsonSchema[name];
  }
  Object.assign(
    jsonSchema,
    document,
    description && { description },
    usual && { default: usual },
    rule !== undefined && { "x-rule": rule },
  );
}

/** Formats that are as strict as the patterns of their schemas. An email's pattern is stricter than any format. */
const EXACT_FORMATS: ReadonlySet<unknown> = new Set(["date-time", "date", "uuid"]);

/** Removes patterns that repeat formats. */
function leavePatternsOut({ jsonSchema }: Made): void {
  if (EXACT_FORMATS.has(jsonSchema.format)) {
    delete jsonSchema.pattern;
  }
}

/**
 * Removes bounds that every number in an answer meets anyway. In a request they matter, because a caller may send any
 * number.
 */
function leaveBoundsOut({ jsonSchema }: Made): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
    delete jsonSchema.minimum;
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
    delete jsonSchema.maximum;
  }
}

function toSchema(schema: z.ZodType, options: Options): JsonSchema {
  const { $schema: _dialect, $defs: _named, ...made } = z.toJSONSchema(schema, options);
  return withComponentRefs(made);
}

function withComponentRefs<T extends JsonSchema | Components>(made: T): T {
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const schema: T = JSON.parse(text, (name, value: unknown) =>
    name === "id" && typeof value === "string" ? undefined : value,
  );
  explainMembers(schema);
  return schema;
}

const SENTENCES: ReadonlyMap<string, string> = new Map(Object.entries(GLOSSARY));

/** Keywords of conditions, whose members are declared and described by their object. */
const CONDITIONS: ReadonlySet<string> = new Set(["if", "then", "not"]);

/** Gives each member without a description of its own that of the glossary. */
function explainMembers(part: unknown): void {
  if (typeof part !== "object" || part === null) {
    return;
  }
  for (const [name, inside] of Object.entries(part)) {
    if (name === "properties") {
      explainEach(inside);
    }
    if (!CONDITIONS.has(name)) {
      explainMembers(inside);
    }
  }
}

function explainEach(members: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, member] of Object.entries(members)) {
    const description = member.description ?? SENTENCES.get(name);
    if (description !== undefined) {
      member.description = description;
    }
  }
}
