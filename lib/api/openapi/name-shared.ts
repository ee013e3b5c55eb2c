import { hash } from "node:crypto";

interface Parameter {
  name?: string;
  in?: string;
  $ref?: string;
}

/** The parts that an operation or a notification may share with others. */
export interface Described {
  parameters: readonly Parameter[];
  responses: Readonly<Record<string, object>>;
}

/** An operation and its path. */
interface Placed {
  path: string;
  described: Described;
}

/** A part of an operation, and the name for its component if others share it. */
interface Part {
  base: string;
  value: object;
}

type Names = ReadonlyMap<string, string>;

/**
 * The components of parameters and responses that several operations share, and a function that replaces them with
 * references.
 */
interface Shared {
  parameters: Record<string, object>;
  responses: Record<string, object>;
  toShared: <Given extends Described>(given: Given) => Given;
}

/**
 * Finds the parts that several of these share. A part's name says what it is; if different parts have the same name,
 * a hash is appended.
 */
export function findShared(placed: readonly Placed[]): Shared {
  const parameters = toNames(placed.flatMap(toParameterParts));
  const responses = toNames(placed.flatMap(({ described }) => toResponseParts(described)));
  return {
    parameters: toComponents(parameters),
    responses: toComponents(responses),
    toShared: (given) => ({
      ...given,
      parameters: given.parameters.map((each) => refer("parameters", parameters, each)),
      responses: Object.fromEntries(
        Object.entries(given.responses).map(([status, each]) => [
          status,
          refer("responses", responses, each),
        ]),
      ),
    }),
  };
}

function toParameterParts({ path, described }: Placed): Part[] {
  return described.parameters
    .filter(({ $ref }) => $ref === undefined)
    .map((value) => ({ base: toParameterName(path, value), value }));
}

/** The id in `/cards/{id}` becomes `cards.id`, so that its name says what it identifies. */
function toParameterName(path: string, { name = "", in: place }: Parameter): string {
  const [before = ""] = path.split(`/{${name}}`);
  return place === "path" ? `${before.slice(before.lastIndexOf("/") + 1)}.${name}` : name;
}

function toResponseParts({ responses }: Described): Part[] {
  return Object.entries(responses).map(([status, value]) => {
    const [only, ...more]: readonly string[] = Reflect.get(value, "x-error-codes") ?? [];
    return { base: only !== undefined && more.length === 0 ? only : status, value };
  });
}

/** The names of the parts that occur more than once, by their text. */
function toNames(parts: readonly Part[]): Names {
  const byText = Map.groupBy(parts, ({ value }) => JSON.stringify(value));
  const repeated = [...byText].flatMap(([text, [first, ...more]]) =>
    first && more.length > 0 ? [{ text, base: first.base }] : [],
  );
  const counts = Map.groupBy(repeated, ({ base }) => base);
  return new Map(
    repeated.map(({ text, base }) => [
      text,
      counts.get(base)?.length === 1
        ? base
        : `${base}-${hash("sha256", text).slice(0, HASH_LENGTH)}`,
    ]),
  );
}

const HASH_LENGTH = 4;

function toComponents(names: Names): Record<string, object> {
  return Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)]));
}

function refer<Given extends object>(kind: string, names: Names, given: Given): Given {
  const name = names.get(JSON.stringify(given));
  if (name === undefined) {
    return given;
  }
  const reference: object = { $ref: `#/components/${kind}/${name}` };
  // A reference stands for what it refers to.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return reference as Given;
}
