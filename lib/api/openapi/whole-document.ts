import { z } from "zod";
import { toWholeSchemas } from "#lib/api/openapi/extend-schemas.ts";
import type { Components } from "#lib/api/openapi/schemas.ts";

const REFERENCE = z.object({ $ref: z.string() });

/**
 * The served OpenAPI document as JSON in the form that readers want: only schemas are references, and each schema has
 * all its members.
 */
export function toWholeDocument(served: object): string {
  const resolve = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (_name, value: unknown) => {
      const { data } = REFERENCE.safeParse(value);
      return data === undefined || data.$ref.startsWith("#/components/schemas/")
        ? value
        : resolve(at(served, data.$ref));
    });
  const whole = Object(resolve(served));
  const schemas: Components = whole.components.schemas;
  const components = { ...whole.components, schemas: toWholeSchemas(schemas) };
  return JSON.stringify({ ...whole, components });
}

/** The value that a reference within the document points to. */
function at(served: object, reference: string): unknown {
  return reference
    .slice("#/".length)
    .split("/")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined,
      served,
    );
}
