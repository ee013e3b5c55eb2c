/** The part of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  /** Our own extension: one value of this kind, or several. */
  oneOrMore?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  pattern?: string;
  description?: string;
}

/** A schema as a TypeScript type. Bounds and patterns have no place in a type. */
export function toTypeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  }
  if (schema.oneOrMore) {
    return `OneOrMore<${toTypeText(schema.oneOrMore)}>`;
  }
  if (schema.const !== undefined) {
    return JSON.stringify(schema.const);
  }
  if (schema.enum) {
    return toUnion(schema.enum.map((value) => JSON.stringify(value)));
  }
  if (schema.allOf) {
    return schema.allOf.map(toTypeText).join(" & ");
  }
  const choices = schema.anyOf ?? schema.oneOf;
  return choices ? toUnion(choices.map(toTypeText)) : toPlainText(schema);
}

const PLAIN: Readonly<Record<string, string>> = {
  integer: "number",
  number: "number",
  string: "string",
  boolean: "boolean",
  null: "null",
};

function toPlainText(schema: Schema): string {
  const { type } = schema;
  if (typeof type === "object") {
    return toUnion(type.map((each) => toTypeText({ ...schema, type: each })));
  }
  if (type === "array") {
    const item = toTypeText(schema.items ?? {});
    return /^\w+$/u.test(item) ? `${item}[]` : `(${item})[]`;
  }
  return type === "object" ? toObjectText(schema) : (PLAIN[type ?? ""] ?? "unknown");
}

/** Members in braces; an object without any is a record. */
export function toObjectText({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const value = typeof additionalProperties === "object" ? additionalProperties : {};
    return `Record<string, ${toTypeText(value)}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) =>
    toMember(name, schema, !required.includes(name)),
  );
  return `{\n${members.join("")}}`;
}

/** One member of an interface, with its description. */
export function toMember(name: string, schema: Schema, isOptional: boolean): string {
  const text = /^[a-z_$][\w$]*$/iu.test(name) ? name : JSON.stringify(name);
  return `${toComment(schema.description)}${text}${isOptional ? "?" : ""}: ${toTypeText(schema)};\n`;
}

export function toComment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll("*/", "* /")} */\n` : "";
}

/** A union without repetition, in which `string` covers every text. */
function toUnion(types: readonly string[]): string {
  const parts = types.flatMap((type) => (/[{(<]/u.test(type) ? [type] : type.split(" | ")));
  const all = [...new Set(parts)];
  return (all.includes("string") ? all.filter((type) => !type.startsWith('"')) : all).join(" | ");
}
