import { toShellWord } from "../../../../ui/shell-word.ts";
import { EMBEDDED } from "#lib/scenarios/expressions.ts";
import type { ScenarioStep, Value } from "#lib/scenarios/scenario.ts";

/** The shell variable for the scenario's `run`. */
export const RUN_VARIABLE = "RUN";

/** The name of the shell variable that an expression stands for: `cardId` is `CARD_ID`. */
export function toVariable(expression: string): string {
  const [, root, name = "", , output = ""] = expression.split(/[$.]/u);
  return (root === "inputs" ? name : output)
    .replaceAll(/(?<=[a-z\d])[A-Z]/gu, (letter) => `_${letter}`)
    .toUpperCase();
}

/**
 * A step's request as a command for a POSIX shell. Outputs of earlier steps are variables.
 * @param isNumber whether a member of the body is a number, so that its variable is not quoted.
 */
export function toCurl(
  { method, path, parameters, body }: ScenarioStep,
  { baseUrl, isNumber }: { baseUrl: string; isNumber: (member: string) => boolean },
): string {
  const at = (place: string) => parameters.filter((each) => each.in === place);
  const url = at("path").reduce(
    (before, { name, value }) => before.replace(`{${name}}`, () => toDoubleQuoted(value)),
    path,
  );
  const query = at("query").map(({ name, value }) => `${name}=${toDoubleQuoted(value)}`);
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`}`,
    `"${baseUrl}${url}${query.length > 0 ? `?${query.join("&")}` : ""}"`,
    ...at("header").map(({ name, value }) => `-H "${name}: ${toDoubleQuoted(value)}"`),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${toJsonWord(body, isNumber)}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Whatever a shell does not take literally within double quotes: expressions, and special characters. */
const NOT_LITERAL = new RegExp(`${EMBEDDED.source}|["$\`\\\\]`, "gu");

/** Text within double quotes. */
function toDoubleQuoted(value: Value): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.startsWith("$")
    ? `$${toVariable(text)}`
    : text.replaceAll(NOT_LITERAL, (found, expression: string | undefined, at: number) =>
        expression === undefined
          ? `\\${found}`
          : toReference(expression, text.slice(at + found.length)),
      );
}

/** A reference to a variable. Braces end its name if the following text would continue it. */
function toReference(expression: string, following: string): string {
  const name = toVariable(expression);
  return /^\w/u.test(following) ? `\${${name}}` : `$${name}`;
}

/** JSON in single quotes, which close before each variable and open again after it. */
function toJsonWord(body: Value, isNumber: (member: string) => boolean): string {
  const mark = (member: string, value: unknown) =>
    typeof value === "string" && value.startsWith("$")
      ? `${isNumber(member) ? NUMBER : ""}{${value}}`
      : value;
  const toWord = (indent: number) =>
    toShellWord(JSON.stringify(body, mark, indent).replaceAll("\n", "\n  "))
      .replaceAll(NUMBERS, "$1")
      .replaceAll(EMBEDDED, (_, expression: string) => `'$${toVariable(expression)}'`);
  const line = toWord(0);
  return line.length > LINE_MAX ? toWord(2) : line;
}

/** A longer body has a line for each member. */
const LINE_MAX = 72;

/** Marks a text that becomes a number, without quotes. */
const NUMBER = "\u0000";
const NUMBERS = /"\\u0000(\{[^{}"]+\})"/gu;
