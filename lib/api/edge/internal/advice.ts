import { z } from "zod";
import type { Operation } from "#lib/operations/operation.ts";
import { adviseOnName } from "#lib/api/edge/internal/advise-on-name.ts";
import { adviseOnValue } from "#lib/api/edge/internal/advise-on-value.ts";
import { toLayers } from "#lib/base/log-safe.ts";

/** What a refusal is about. */
export interface Judged {
  /** The schema of the query or the body: the operation's own, if there is an operation. */
  schema: z.core.$ZodType;
  value: unknown;
  operation?: Operation | undefined;
}

/**
 * What to send instead of an invalid member, as sentences that follow the error's own; empty if nothing can be
 * suggested. Derives only from the contract, and repeats nothing that was sent.
 * @param name the member as refusals name it: `merchant.name`.
 */
export function toAdvice(name: string, judged: Judged): string {
  const path = name.split(".");
  const { isSent, value } = find(judged.value, path);
  if (!isSent) {
    return "";
  }
  const [member] = findSchemas(judged.schema, path);
  if (member) {
    return adviseOnValue(member, value);
  }
  const isWithin = findSchemas(judged.schema, path.slice(0, -1)).length > 0;
  return isWithin ? adviseOnName({ ...toPlace(path, judged), value }) : "";
}

function toPlace(path: readonly string[], { schema, value, operation }: Judged) {
  const parent = path.slice(0, -1);
  const names = findSchemas(schema, parent).flatMap(toLayers).flatMap(toNames);
  const beside = find(value, parent).value;
  return {
    operation,
    name: path.at(-1) ?? "",
    isNested: parent.length > 0,
    allowed: [...new Set(names)],
    sent: beside !== null && typeof beside === "object" ? Object.keys(beside) : [],
    part: schema === operation?.query ? ("query" as const) : ("body" as const),
  };
}

function toNames(layer: z.core.$ZodType): string[] {
  return layer instanceof z.ZodObject ? Object.keys(layer.shape) : [];
}

function find(
  value: unknown,
  path: readonly string[],
): { isSent: true; value: unknown } | { isSent: false; value?: undefined } {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) {
      return { isSent: false };
    }
    at = Reflect.get(at, name);
  }
  return { isSent: true, value: at };
}

/** The schemas of a member, one for each form that contains it; none for a member that is not allowed. */
function findSchemas(
  schema: z.core.$ZodType,
  [name, ...rest]: readonly string[],
): z.core.$ZodType[] {
  if (name === undefined) {
    return [schema];
  }
  return toLayers(schema)
    .flatMap((layer) => toMember(layer, name))
    .flatMap((member) => findSchemas(member, rest));
}

function toMember(layer: z.core.$ZodType, name: string): z.core.$ZodType[] {
  if (layer instanceof z.ZodObject) {
    return Object.hasOwn(layer.shape, name) ? [layer.shape[name]] : [];
  }
  if (layer instanceof z.ZodArray) {
    return [layer.element];
  }
  return layer instanceof z.ZodRecord ? [layer.valueType] : [];
}
