import { evaluate, toText } from "./expressions.ts";
import type { ExpressionContext } from "./expressions.ts";

/** A success criterion of the type `simple`, applied to a response. */
export interface Check {
  condition: string;
  passed: boolean;
  /** The value in the response that the condition names. */
  actual: unknown;
  /** The value that the condition compares it with. */
  expected: unknown;
}

/** One comparison: an expression, an operator, and an expression or a literal. */
const CONDITION =
  /^(?<left>\$\S+) (?<operator>==|!=|<=|>=|<|>) (?<right>\$\S+|'[^']*'|-?\d+(?:\.\d+)?|true|false|null)$/u;

const OPERATORS: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<": (left, right) => Number(left) < Number(right),
  "<=": (left, right) => Number(left) <= Number(right),
  ">": (left, right) => Number(left) > Number(right),
  ">=": (left, right) => Number(left) >= Number(right),
};

/** The parts of a condition; null for text that is not one. */
export function parseCondition(
  condition: string,
): { left: string; operator: string; right: string } | null {
  const { left, operator, right } = CONDITION.exec(condition)?.groups ?? {};
  return left !== undefined && operator !== undefined && right !== undefined
    ? { left, operator, right }
    : null;
}

/** @throws Error for text that is not a condition. */
export function check(condition: string, context: ExpressionContext): Check {
  const parts = parseCondition(condition);
  if (parts === null) {
    throw new Error(`${condition} is not a condition that scenarios can use.`);
  }
  const actual = evaluate(parts.left, context);
  const expected = toOperand(parts.right, context);
  const passed = OPERATORS[parts.operator]?.(actual, expected) ?? false;
  return { condition, passed, actual, expected };
}

/** What was expected and what came. */
export function toSentence({ condition, actual }: Check): string {
  return `Expected ${condition}, but it was ${toText(actual)}.`;
}

function toOperand(text: string, context: ExpressionContext): unknown {
  if (text.startsWith("$")) {
    return evaluate(text, context);
  }
  return text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text);
}
