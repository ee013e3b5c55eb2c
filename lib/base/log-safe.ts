import { z } from "zod";

const LOG_SAFE = z.registry<{ isSafe: true }>();

/**
 * Marks a member whose values may be kept in the bodies of the API log: ids, amounts, times, flags, and values from
 * closed lists. Without the mark, a value is redacted. Never mark text that somebody typed, personal data, or a secret.
 * @returns the same schema.
 */
export function logSafe<Schema extends z.ZodType>(schema: Schema): Schema {
  LOG_SAFE.add(schema, { isSafe: true });
  return schema;
}

/** Whether a schema is marked. A schema derived from a marked one, by a description or a bound, is too. */
export function isLogSafe(schema: z.core.$ZodType): boolean {
  return LOG_SAFE.get(schema) !== undefined;
}

const known = new WeakMap<z.core.$ZodType, readonly z.core.$ZodType[]>();

/**
 * A schema and all schemas that it wraps: inside optional, nullable, and transformed ones, and in each choice of a
 * union.
 */
export function toLayers(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const layers = known.get(schema) ?? [schema, ...toWrapped(schema).flatMap(toLayers)];
  known.set(schema, layers);
  return layers;
}

function toWrapped(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return [schema.unwrap()];
  }
  if (schema instanceof z.ZodPipe) {
    return [schema.in];
  }
  return schema instanceof z.ZodUnion ? schema.options : [];
}
