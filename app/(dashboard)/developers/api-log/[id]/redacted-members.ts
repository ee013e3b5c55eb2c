import { z } from "zod";
import type { Operation } from "#lib/operations/operation.ts";
import { toLayers } from "#lib/base/log-safe.ts";
import { REDACTED } from "#lib/record/request-classes.ts";

/** A member of a kept body whose value was not kept. */
export interface RedactedMember {
  /** From the outermost member to the innermost. */
  path: readonly string[];
  /** Whether it takes text; anything else is written as JSON. */
  isText: boolean;
}

/** The members to fill in before the body can be sent again. */
export function findRedactedMembers(operation: Operation, body: unknown): RedactedMember[] {
  return operation.body ? find(operation.body, body, []) : [];
}

function find(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  path: readonly string[],
): RedactedMember[] {
  const layers = schema ? toLayers(schema) : [];
  if (value === REDACTED) {
    return [{ path, isText: layers.some((layer) => layer instanceof z.ZodString) }];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const object = layers.find((layer) => layer instanceof z.ZodObject);
  return Object.entries(value).flatMap(([name, member]) =>
    find(object?.shape[name], member, [...path, name]),
  );
}
