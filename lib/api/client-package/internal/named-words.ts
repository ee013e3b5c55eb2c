import type { Document } from "#lib/api/client-package/internal/document.ts";
import type { Schema } from "#lib/api/client-package/internal/type-text.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";

/** A document in which each list of words that has a name is a reference to it. The names of events are `EventName`. */
export function withNamedWords(document: Document): Document {
  const lists = Object.entries(document.components.schemas).filter(([, schema]) => schema.enum);
  const names = new Map(lists.map(([name, schema]) => [toKey(schema), name]));
  names.set(toKey({ enum: EVENT_NAMES }), "EventName");
  const named: Document = JSON.parse(JSON.stringify(document), (_member, value: unknown) => {
    if (!isList(value)) {
      return value;
    }
    const name = names.get(toKey(value));
    return name === undefined ? value : { ...value, $ref: `#/components/schemas/${name}` };
  });
  const schemas = { ...named.components.schemas, ...Object.fromEntries(lists) };
  return { ...named, components: { schemas } };
}

function toKey(schema: Schema): string {
  return JSON.stringify(schema.enum);
}

function isList(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "enum" in value;
}
