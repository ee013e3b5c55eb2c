import type { Schema } from "./fuzz-document.ts";
import type { Random } from "./fuzz-random.ts";

const USUAL_SHARE = 0.95;
const OPTIONAL_SHARE = 0.4;
const EDGE_SHARE = 0.1;
const NUMBERS_SPREAD = 1_000;

/** A typical value of a member or parameter with this name; undefined when its schema is sufficient. */
export type Usual = (name: string) => unknown;

/** Creates values that a schema accepts. */
export class Values {
  private readonly random: Random;
  private readonly schemas: Readonly<Record<string, Schema>>;
  private readonly usual: Usual;

  constructor(random: Random, schemas: Readonly<Record<string, Schema>>, usual: Usual) {
    this.random = random;
    this.schemas = schemas;
    this.usual = usual;
  }

  make(name: string, given: Schema): unknown {
    const schema = this.resolve(given);
    const usual = this.usual(name);
    if (usual !== undefined && this.random.chance(USUAL_SHARE)) {
      return usual;
    }
    if (schema.const !== undefined) {
      return schema.const;
    }
    if (schema.enum) {
      return this.random.pick(schema.enum);
    }
    const alternatives = schema.anyOf ?? schema.oneOf;
    const chosen = alternatives && this.random.pick(alternatives);
    if (!chosen) {
      return this.makeOfType(name, schema);
    }
    return schema.properties ? this.makeObject(narrow(schema, chosen)) : this.make(name, chosen);
  }

  private makeOfType(name: string, schema: Schema): unknown {
    switch (schema.type) {
      case "object":
        return this.makeObject(schema);
      case "array":
        return [this.make(name, schema.items ?? {})];
      case "integer":
        return this.makeInteger(schema);
      case "boolean":
        return this.random.chance(0.5);
      case "string":
        return this.makeText(schema);
      case undefined:
      default:
        return null;
    }
  }

  private makeObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const chosen = Object.entries(properties).filter(
      ([name]) => required.includes(name) || this.random.chance(OPTIONAL_SHARE),
    );
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.make(name, schema)]));
  }

  private makeInteger({ minimum = 1, maximum = NUMBERS_SPREAD }: Schema): number {
    return this.random.chance(EDGE_SHARE)
      ? this.random.pick([minimum, maximum])
      : minimum + this.random.below(Math.min(maximum - minimum, NUMBERS_SPREAD) + 1);
  }

  private makeText({ format, minLength = 0 }: Schema): string {
    switch (format) {
      case "uuid":
        return this.random.uuid();
      case "date":
        return new Date().toISOString().slice(0, 10);
      case "date-time":
        return new Date(Date.now() - this.random.below(60_000)).toISOString();
      case "email":
        return `${this.random.uuid()}@fuzz.example`;
      case undefined:
      default:
        return "Fuzz".padEnd(minLength, "z");
    }
  }

  private resolve(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (this.schemas[name] ?? schema);
  }
}

/**
 * For alternatives that differ only in their required members: requires the chosen one's members and, in a `oneOf`,
 * removes those of the others.
 */
function narrow({ oneOf = [], properties = {}, ...schema }: Schema, chosen: Schema): Schema {
  const required = [...(schema.required ?? []), ...(chosen.required ?? [])];
  const others = new Set(oneOf.flatMap((each) => each.required ?? []));
  const allowed = Object.entries(properties).filter(
    ([name]) => required.includes(name) || !others.has(name),
  );
  return { ...schema, properties: Object.fromEntries(allowed), required };
}
