import { z } from "zod";
import { DomainError } from "#lib/base/errors.ts";
import { toLayers } from "#lib/base/log-safe.ts";
import { toPrintableName } from "#lib/base/printable.ts";

/** The parameters of a query as text. `metadata[order_id]=4711` is an entry of `metadata`. */
type QueryText = Record<string, string | Record<string, string>>;

/** `metadata[order_id]`: an entry of an object, as the OpenAPI style `deepObject` writes it. */
const ENTRY = /^(?<name>[^[\]]+)\[(?<key>.*)\]$/su;

/**
 * A list may be written as one parameter or as several: `status=active,frozen` is `status=active&status=frozen`.
 * @throws DomainError `validation_failed` for another name that appears twice, or text that cannot be
 * stored.
 */
export function readQuery({ searchParams }: URL, schema: z.ZodType): QueryText {
  const query: QueryText = Object.create(null);
  for (const [given, value] of searchParams) {
    const { name = given, key } = ENTRY.exec(given)?.groups ?? {};
    // One known client capitalizes names.
    const member = name.toLowerCase();
    const isClear =
      key === undefined
        ? addValue(query, schema, [member, value])
        : addEntry(query, member, [key, value]);
    if (!isClear || given.includes("\0") || value.includes("\0")) {
      const printable = toPrintableName(given.toLowerCase());
      throw new DomainError(
        "validation_failed",
        `The query parameter ${printable} cannot be read.`,
        { [printable]: ["This field must appear once and must not contain U+0000."] },
      );
    }
  }
  return query;
}

/** @returns whether the value is the first of its name, or one more of a list. */
function addValue(query: QueryText, schema: z.ZodType, [member, value]: [string, string]): boolean {
  const before = query[member];
  if (before === undefined) {
    query[member] = value;
    return true;
  }
  if (typeof before !== "string" || !takesList(schema, member)) {
    return false;
  }
  query[member] = `${before},${value}`;
  return true;
}

function takesList(schema: z.ZodType, member: string): boolean {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const field: z.core.$ZodType | undefined = Object.hasOwn(shape, member)
    ? shape[member]
    : undefined;
  return field !== undefined && toLayers(field).some(isList);
}

/** Whether the OpenAPI document declares the parameter as a list. */
function isList(schema: z.core.$ZodType): boolean {
  const document = z.globalRegistry.get(schema)?.document ?? {};
  return typeof document === "object" && "type" in document && document.type === "array";
}

/** @returns whether the entry is the first with its key, in an object. */
function addEntry(query: QueryText, member: string, [key, value]: [string, string]): boolean {
  const entries = query[member] ?? Object.create(null);
  if (typeof entries === "string" || key in entries) {
    return false;
  }
  entries[key] = value;
  query[member] = entries;
  return true;
}
