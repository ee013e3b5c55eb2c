import type { JsonSchema } from "./schema.ts";

type Schemas = Readonly<Record<string, JsonSchema>>;

const SAMPLE_ID = "01a1fd1b-37aa-7003-9d29-7b1f3d4a8a52";
const SAMPLE_AMOUNT = 2_000;

/** A value that fits a schema: an object has its required members only. */
export function toSample(schema: JsonSchema, schemas: Schemas): unknown {
  const { $ref, anyOf, oneOf, properties = {}, required = [], items } = schema;
  const [choice] = anyOf ?? oneOf ?? [];
  const named = $ref === undefined ? choice : schemas[$ref.split("/").at(-1) ?? ""];
  if (named) {
    return toSample(named, schemas);
  }
  if (schema.type === "object") {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, member]) => [name, toSample(member, schemas)]),
    );
  }
  return items ? [toSample(items, schemas)] : toScalar(schema);
}

function toScalar({ type, enum: values, const: only, ...rest }: JsonSchema): unknown {
  if (values || only !== undefined) {
    return only ?? values?.[0];
  }
  if (type === "integer") {
    return Math.min(Math.max(SAMPLE_AMOUNT, rest.minimum ?? 0), rest.maximum ?? SAMPLE_AMOUNT);
  }
  return type === "boolean" ? false : toText(rest);
}

function toText({ format, pattern }: Omit<JsonSchema, "type">): string {
  if (format === "email") {
    return "ada@example.com";
  }
  if (format === "date-time") {
    return "2026-11-21T00:00:00Z";
  }
  return pattern?.startsWith("^[0-9a-f]{8}-") ? SAMPLE_ID : "text";
}
