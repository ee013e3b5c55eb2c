import { isDeepStrictEqual } from "node:util";
import type { Components, JsonSchema } from "#lib/api/openapi/schemas.ts";

type Properties = Readonly<Record<string, JsonSchema>>;

/** The minimum number of members that two objects must share before one is written as an extension of the other. */
const ALIKE_MIN = 6;

const REF = "#/components/schemas/";

/**
 * Writes each object that has all members of another one as an extension of that one. For example, each event extends
 * `Event`.
 */
export function extendSchemas(components: Components): Components {
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => {
      const base = findBase(components, name);
      return [name, base === undefined ? schema : toExtension(schema, base, components[base])];
    }),
  );
}

/** The largest object that is a part of another one. */
function findBase(components: Components, name: string): string | undefined {
  const [largest] = Object.entries(components)
    .filter(([other, base]) => other !== name && isPart(base, components[name]))
    .toSorted(([, a], [, b]) => countMembers(b) - countMembers(a));
  return largest?.[0];
}

function isPart(base: JsonSchema, schema: JsonSchema | undefined): boolean {
  const [own, others] = [toProperties(base), toProperties(schema)];
  const names = Object.keys(own);
  if (names.length < ALIKE_MIN || names.some((name) => !Object.hasOwn(others, name))) {
    return false;
  }
  const alike = names.filter((name) => isDeepStrictEqual(own[name], others[name]));
  return (
    alike.length >= ALIKE_MIN &&
    new Set(base.required).isSubsetOf(new Set(schema?.required)) &&
    names.every((name) => isNarrowed(own[name], others[name])) &&
    // Identical objects do not extend each other.
    !isDeepStrictEqual(own, others)
  );
}

/** Whether a member equals the base's, or narrows it. */
function isNarrowed(own: JsonSchema | undefined, other: JsonSchema | undefined): boolean {
  return (
    isDeepStrictEqual(own, other) ||
    (other !== undefined && (other.const !== undefined ? own?.type === other.type : isOpen(own)))
  );
}

/** Whether any object is allowed. */
function isOpen(schema: JsonSchema | undefined): boolean {
  return schema?.type === "object" && schema.properties === undefined;
}

function toExtension(schema: JsonSchema, name: string, base: JsonSchema | undefined): JsonSchema {
  const { properties: _all, required = [], type: _object, ...rest } = schema;
  const known = toProperties(base);
  const own = Object.entries(toProperties(schema)).filter(
    ([member, each]) => !isDeepStrictEqual(known[member], each),
  );
  const demanded = required.filter((member) => !base?.required?.includes(member));
  return {
    ...rest,
    allOf: [
      { $ref: `${REF}${name}` },
      {
        type: "object",
        properties: Object.fromEntries(own),
        ...(demanded.length > 0 ? { required: demanded } : {}),
      },
    ],
  };
}

/** The same objects with all of their members. */
export function toWholeSchemas(components: Components): Components {
  const toWhole = (schema: JsonSchema): JsonSchema => {
    const { allOf, ...rest } = schema;
    const base = components[allOf?.[0]?.$ref?.slice(REF.length) ?? ""];
    return base ? { ...merge(toWhole(base), allOf?.[1] ?? {}), ...rest } : schema;
  };
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [name, toWhole(schema)]),
  );
}

function merge(base: JsonSchema, more: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { ...base.properties, ...more.properties },
    required: [...(base.required ?? []), ...(more.required ?? [])],
  };
}

function toProperties(schema: JsonSchema | undefined): Properties {
  const { properties = {} } = schema ?? {};
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, Object(each)]));
}

function countMembers(schema: JsonSchema): number {
  return Object.keys(toProperties(schema)).length;
}
