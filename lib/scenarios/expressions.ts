import type { Value } from "./scenario.ts";

/** What expressions can refer to. */
export interface ExpressionContext {
  inputs: Readonly<Record<string, unknown>>;
  /** The outputs of earlier steps, by step. */
  outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Undefined before it arrives. */
  response?: ScenarioResponse | undefined;
}

/** A response as expressions see it. */
export interface ScenarioResponse {
  status: number;
  /** By name in lowercase. */
  headers: Readonly<Record<string, string>>;
  /** JSON if it parses as JSON, otherwise text. */
  body: unknown;
}

/** A runtime expression of Arazzo, as far as scenarios use them. */
export const EXPRESSION =
  /^\$(?:(?<status>statusCode)|inputs\.(?<input>\w+)|steps\.(?<step>\w+)\.outputs\.(?<output>\w+)|response\.header\.(?<header>[\w-]+)|response\.body(?:#(?<pointer>(?:\/[\w-]+)+))?)$/u;

/** An expression within text, in braces. */
export const EMBEDDED = /\{(?<expression>\$[^{}]+)\}/gu;

/**
 * The value of an expression; null if it does not exist.
 * @throws Error for text that is not an expression.
 */
export function evaluate(expression: string, context: ExpressionContext): unknown {
  const parts = EXPRESSION.exec(expression)?.groups;
  if (!parts) {
    throw new Error(`${expression} is not an expression that scenarios can use.`);
  }
  const { input, step, output = "" } = parts;
  if (input !== undefined) {
    return context.inputs[input] ?? null;
  }
  return step === undefined
    ? readResponse(parts, context.response)
    : (context.outputs[step]?.[output] ?? null);
}

function readResponse(
  { status, header, pointer = "" }: Readonly<Record<string, string>>,
  response: ScenarioResponse | undefined,
): unknown {
  if (status !== undefined) {
    return response?.status ?? null;
  }
  return header === undefined
    ? follow(response?.body, pointer.split("/").slice(1))
    : (response?.headers[header.toLowerCase()] ?? null);
}

function follow(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? Reflect.get(found, name)
        : null;
  }
  return found ?? null;
}

/** A value of a request with its expressions replaced. If an expression is the whole text, its value keeps its type. */
export function fillIn(value: Value, context: ExpressionContext): unknown {
  if (typeof value === "string") {
    return value.startsWith("$")
      ? evaluate(value, context)
      : value.replaceAll(EMBEDDED, (_, expression: string) =>
          toText(evaluate(expression, context)),
        );
  }
  if (Array.isArray(value)) {
    return value.map((each) => fillIn(each, context));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillIn(each, context)]))
    : value;
}

/** A value as text, as in a URL or a header. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
