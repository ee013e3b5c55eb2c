import { toVariable } from "./to-curl.ts";
import { parseCondition } from "#lib/scenarios/condition.ts";

/** What a response must be, for people: `data.status` `is` `declined`. */
export interface Expectation {
  what: string;
  relation: string;
  value: string;
}

const RELATIONS: Readonly<Record<string, string>> = {
  "==": "is",
  "!=": "is not",
  "<": "is less than",
  "<=": "is at most",
  ">": "is more than",
  ">=": "is at least",
};

export function toExpectation(condition: string): Expectation {
  const { left = condition, operator = "", right = "" } = parseCondition(condition) ?? {};
  return {
    what: toPlace(left),
    relation: RELATIONS[operator] ?? operator,
    value: right.startsWith("$") ? `$${toVariable(right)}` : right.replaceAll("'", ""),
  };
}

/** Where in a response an expression looks: `data.status`, or the name of a header. */
export function toPlace(expression: string): string {
  if (expression === "$statusCode") {
    return "HTTP status";
  }
  return expression
    .replace("$response.header.", "header ")
    .replace(/^\$response\.body#?\/?/u, "")
    .replaceAll("/", ".");
}
