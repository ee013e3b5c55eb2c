import type { DocumentedOperation, JsonSchema } from "./schema.ts";

/** A parameter, or a member of a body, as the reference shows it. */
export interface Member {
  name: string;
  type: string;
  isRequired: boolean;
  description: string | null;
  /** The allowed values, if they are a closed set. */
  values: readonly string[];
  /** Its value when it is omitted; null if that is not documented. */
  fallback: string | null;
  members: readonly Member[];
}

type Schemas = Readonly<Record<string, JsonSchema>>;

const COMPONENT = "#/components/schemas/";

/** The members of an object, of each object in a list, or of the object that a reference names. */
export function toMembers(
  schema: JsonSchema,
  schemas: Schemas,
  within: readonly string[] = [],
): Member[] {
  const { shape, path } = toShape(schema, schemas, within);
  const { properties = {}, required = [] } = shape;
  return Object.entries(properties).map(([name, member]) =>
    toMember({ name, isRequired: required.includes(name) }, member, (nested) =>
      toMembers(nested, schemas, path),
    ),
  );
}

/** One member and, if it is an object or a list of objects, its own members. */
export function toMember(
  named: { name: string; isRequired: boolean },
  schema: JsonSchema,
  toNested: (schema: JsonSchema) => Member[],
): Member {
  const main = alternatives(schema)[0] ?? schema;
  return {
    ...named,
    type: toType(schema),
    description: toDescription(schema, main),
    values: toValues(main),
    fallback:
      "default" in schema && schema.default !== null ? JSON.stringify(schema.default) : null,
    members: toNested(main),
  };
}

/** A parameter in the form of a member. */
export function toParameter(
  { name, required, schema, description }: DocumentedOperation["parameters"][number],
  schemas: Schemas,
): Member {
  return toMember(
    { name, isRequired: required },
    { ...schema, ...(description === undefined ? {} : { description }) },
    (nested) => toMembers(nested, schemas),
  );
}

/** Follows references and lists to an object. Follows a recursive schema only once. */
function toShape(
  schema: JsonSchema,
  schemas: Schemas,
  within: readonly string[],
): { shape: JsonSchema; path: readonly string[] } {
  const main = alternatives(schema)[0] ?? schema;
  const name = main.$ref?.slice(COMPONENT.length);
  if (name !== undefined) {
    const named = schemas[name];
    return named && !within.includes(name)
      ? toShape(named, schemas, [...within, name])
      : { shape: {}, path: within };
  }
  return main.items ? toShape(main.items, schemas, within) : { shape: main, path: within };
}

/** The possible schemas of a value, except null and the empty text that some members also accept. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const choices = schema.anyOf ?? schema.oneOf;
  return choices
    ? choices
        .filter((choice) => choice.type !== "null" && choice.const !== "")
        .flatMap((choice) => alternatives(choice))
    : [schema];
}

/** The type in the field's standard terms: `string`, `array of Card`, `integer or null`. */
export function toType(schema: JsonSchema): string {
  const names = alternatives(schema)
    .filter(({ type }) => type !== "null")
    .map(toTypeName);
  const isNullable = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].some(
    ({ type }) => type === "null" || (Array.isArray(type) && type.includes("null")),
  );
  return [...new Set(names), ...(isNullable ? ["null"] : [])].join(" or ");
}

function toTypeName(schema: JsonSchema): string {
  const { $ref, type, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    return $ref.slice(COMPONENT.length);
  }
  if (schema.const !== undefined) {
    return JSON.stringify(schema.const);
  }
  if (items) {
    return `array of ${toType(items)}`;
  }
  if (typeof additionalProperties === "object" && !schema.properties) {
    return `object of ${toType(additionalProperties)}`;
  }
  return (
    toTextName(schema) ??
    (Array.isArray(type)
      ? type.filter((each) => each !== "null").join(" or ")
      : (type ?? "any value"))
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "ID",
  "date-time": "time",
  date: "date",
  email: "email",
  uri: "URL",
};

function toTextName({ format, pattern }: JsonSchema): string | null {
  if (format !== undefined && Object.hasOwn(FORMATS, format)) {
    return FORMATS[format] ?? null;
  }
  return pattern?.includes("[0-9a-f]{8}-") ? "ID" : null;
}

function toDescription(schema: JsonSchema, main: JsonSchema): string | null {
  const said = schema.description ?? main.description;
  const bounds = toBounds(main);
  return [said, bounds].flatMap((part) => part ?? []).join(" ") || null;
}

/** Bounds that matter to a caller; omits those of the number type itself. */
function toBounds({ type, minimum, maximum, maxLength }: JsonSchema): string | null {
  if (type === "string" && maxLength !== undefined) {
    return `At most ${maxLength} characters.`;
  }
  if (isBounded(minimum) && isBounded(maximum)) {
    return `${minimum} to ${maximum}.`;
  }
  return isBounded(minimum)
    ? `At least ${minimum}.`
    : isBounded(maximum)
      ? `At most ${maximum}.`
      : null;
}

function isBounded(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function toValues({ enum: values = [], items }: JsonSchema): readonly string[] {
  const listed = values.length > 0 ? values : (items?.enum ?? []);
  return listed.filter((value) => value !== "" && value !== null).map((value) => String(value));
}
