import type { Components, JsonSchema } from "#lib/api/openapi/schemas.ts";

const REF = "#/components/schemas/";

/** Shorter schemas are as readable inline. */
const LENGTH_MIN = 400;

/** A schema within others, and the member where it was first found. */
interface Found {
  name: string;
  text: string;
  count: number;
}

/**
 * Names the schemas that several requests share: they become components, and the requests refer to them.
 * @param schemas of requests, by any name.
 */
export function nameSchemas(schemas: Readonly<Record<string, JsonSchema>>): {
  schemas: Readonly<Record<string, JsonSchema>>;
  components: Components;
} {
  let named = { schemas, components: {} as Components };
  for (let found = findRepeated(named); found; found = findRepeated(named)) {
    const { text } = found;
    const name = toName(found, named.components);
    const refer = (part: unknown): unknown => {
      if (typeof part !== "object" || part === null) {
        return part;
      }
      const { text: own, ...said } = toComparable(part);
      if (own === text) {
        return { $ref: `${REF}${name}`, ...said };
      }
      return Array.isArray(part)
        ? part.map(refer)
        : Object.fromEntries(Object.entries(part).map(([key, each]) => [key, refer(each)]));
    };
    const { schemas: all, components } = Object(refer(named));
    named = { schemas: all, components: { ...components, [name]: JSON.parse(text) } };
  }
  return named;
}

/** The longest schema that occurs more than once. */
function findRepeated(named: object): Found | undefined {
  const found = new Map<string, Found>();
  collect(named, "", found);
  const [longest] = [...found.values()]
    .filter(({ count }) => count > 1)
    .toSorted((a, b) => b.text.length - a.text.length);
  return longest;
}

function collect(part: unknown, name: string, found: Map<string, Found>): void {
  if (typeof part !== "object" || part === null) {
    return;
  }
  if (isSchema(part)) {
    const { text } = toComparable(part);
    if (text.length < LENGTH_MIN) {
      return;
    }
    const known = found.get(text) ?? { name, text, count: 0 };
    found.set(text, { ...known, count: known.count + 1 });
  }
  for (const [key, inside] of Object.entries(part)) {
    collect(inside, KEYWORDS.test(key) ? name : key, found);
  }
}

/** A schema as text, without what depends on its place. */
function toComparable(part: object) {
  const { description, default: usual, ...rest }: JsonSchema = { ...part };
  return {
    text: JSON.stringify(rest),
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
  };
}

/** Not every object with `type` is a schema: an object of members may have one that is called `type`. */
function isSchema(part: object): boolean {
  return (
    ("type" in part && typeof part.type === "string") ||
    ("anyOf" in part && Array.isArray(part.anyOf))
  );
}

/** What may stand between a member and its schema. */
const KEYWORDS = /^(?:anyOf|oneOf|allOf|items|properties|\d+)$/u;

/** Converts `spending_controls` to `SpendingControlsInput`. */
function toName({ name, text }: Found, taken: Components): string {
  const words = name.split(/[^A-Za-z0-9]+/u).filter((word) => word !== "");
  const pascal = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join("");
  const names = [pascal, `${pascal}2`, `${pascal}3`].map((each) => `${each}Input`);
  return names.find((each) => !Object.hasOwn(taken, each)) ?? `${pascal}${text.length}Input`;
}
