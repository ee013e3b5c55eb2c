import * as fc from "fast-check";
import type { ServedDocument } from "./document.ts";

/** A JSON Schema as the served document writes it. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  required?: readonly string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  "x-rule"?: string;
}

const ITEMS_MAX = 3;
const DAYS = { min: new Date("2020-01-01T00:00:00Z"), max: new Date("2035-01-01T00:00:00Z") };

const days = fc.date({ ...DAYS, noInvalidDate: true });

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  date: days.map((date) => date.toISOString().slice(0, 10)),
  "date-time": days.map((date) => date.toISOString()),
  uri: fc.webUrl({
    validSchemes: ["https"],
    authoritySettings: { withUserInfo: true, withPort: true },
  }),
  hostname: fc.domain(),
};

/** Values that a schema of the document allows. Conditions are not followed: check each value before it is used. */
export function toArbitrary(given: object, document: ServedDocument): fc.Arbitrary<unknown> {
  const schema = resolve(given, document);
  if (schema.const !== undefined) {
    return fc.constant(schema.const);
  }
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  const alternatives = (schema.anyOf ?? schema.oneOf)?.map((each) => resolve(each, document));
  if (alternatives && !schema.properties) {
    return fc.oneof(...alternatives.map((each) => toArbitrary(each, document)));
  }
  const types = [schema.type ?? "null"].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, document)));
}

function ofType(type: string, schema: Schema, document: ServedDocument): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return toObject(schema, document);
    case "array":
      return toArray(schema, document);
    case "integer":
      return fc.integer({
        min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
        max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
      });
    case "boolean":
      return fc.boolean();
    case "string":
      return toText(schema);
    default:
      return fc.constant(null);
  }
}

function toArray(
  { items = {}, minItems = 0, maxItems = ITEMS_MAX }: Schema,
  document: ServedDocument,
): fc.Arbitrary<unknown> {
  const bounds = {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, ITEMS_MAX)),
  };
  return fc.array(toArbitrary(items, document), bounds);
}

function toObject(
  { properties = {}, required = [], additionalProperties, propertyNames = {} }: Schema,
  document: ServedDocument,
): fc.Arbitrary<unknown> {
  if (Object.keys(properties).length === 0 && typeof additionalProperties === "object") {
    const names = toText(propertyNames);
    return fc.dictionary(names, toArbitrary(additionalProperties, document), { maxKeys: 3 });
  }
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // Members may exclude each other, so few of them are as likely as many.
  return fc.subarray(optional).chain((chosen) => {
    const names = new Set([...required, ...chosen]);
    const members = Object.entries(properties).filter(([name]) => names.has(name));
    return fc.record(
      Object.fromEntries(members.map(([name, each]) => [name, toArbitrary(each, document)])),
    );
  });
}

function toText({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const formatted = format === undefined ? undefined : FORMATS[format];
  if (formatted) {
    return formatted;
  }
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  return pattern === undefined
    ? fc.string({
        unit: "grapheme",
        minLength,
        maxLength: Math.max(minLength, Math.min(maxLength, 60)),
      })
    : matching(new RegExp(pattern, "u")).filter(fits);
}

/** fast-check makes no text for a lookahead. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  return pattern.source.includes("(?!")
    ? fc.string().filter((text) => pattern.test(text))
    : fc.stringMatching(pattern);
}

function resolve(schema: Schema, { components }: ServedDocument): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? schema);
}

/** The rule that the document gives of the member at a path, because a schema cannot say it. */
export function findRule(
  given: object,
  path: readonly PropertyKey[],
  document: ServedDocument,
): string | undefined {
  const schema = resolve(given, document);
  const [name, ...rest] = path;
  const [ofChoice] = schema.anyOf?.flatMap((each) => findRule(each, path, document) ?? []) ?? [];
  if (name === undefined) {
    return schema["x-rule"] ?? ofChoice;
  }
  const inner = typeof name === "number" ? schema.items : schema.properties?.[String(name)];
  return inner ? findRule(inner, rest, document) : (schema["x-rule"] ?? ofChoice);
}
