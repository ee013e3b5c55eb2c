import type { z } from "zod";
import { toAdvice } from "#lib/api/edge/internal/advice.ts";
import type { Judged } from "#lib/api/edge/internal/advice.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { DomainError } from "#lib/base/errors.ts";
import type { MemberErrors } from "#lib/base/errors.ts";
import { toPrintableName } from "#lib/base/printable.ts";

/** How many invalid members a refusal names; it counts the rest. */
export const ERRORS_MAX = 20;

/** What is known about an input before it is parsed. */
export interface Known {
  /** The operation whose query or body it is. */
  operation?: Operation;
  /** Errors of members that were found already. They take precedence over those of the schema. */
  errors?: MemberErrors;
}

/**
 * Parses input with its schema.
 * @throws DomainError `validation_failed`, naming the first invalid members.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { operation, errors: known = NONE }: Known = {},
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: toSentence });
  if (parsed.success && Object.keys(known).length === 0) {
    return parsed.data;
  }
  const errors = new Map([
    ...toErrors(parsed.error?.issues ?? [], value),
    ...Object.entries(known),
  ]);
  throw toRefusal(errors, { schema, value, operation });
}

const NONE: MemberErrors = {};

/**
 * The refusal: for each invalid member, what is wrong and, where possible, what to send instead.
 * @param where where the errors that are only counted were found, if not everywhere.
 */
export function toRefusal(
  errors: ReadonlyMap<string, readonly string[]>,
  judged: Judged,
  where = "",
): DomainError {
  const named = [...errors]
    .slice(0, ERRORS_MAX)
    .map(([name, sentences]) => [name, withAdvice(sentences, toAdvice(name, judged))] as const);
  const more = errors.size > named.length ? ` and ${errors.size - named.length} more${where}` : "";
  return new DomainError(
    "validation_failed",
    `The request is not valid for this operation: see ${named.map(([name]) => name).join(", ")}${more}.`,
    Object.fromEntries(named),
  );
}

function withAdvice([first = "", ...more]: readonly string[], advice: string): readonly string[] {
  return [advice === "" ? first : `${first} ${advice}`, ...more];
}

/** A map, because a plain object would appear to contain a member named "constructor". */
export function toErrors(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): Map<string, readonly string[]> {
  const errors = new Map<string, readonly string[]>();
  for (const issue of issues) {
    for (const member of toMembers(issue)) {
      errors.set(member, [...(errors.get(member) ?? []), toMessage(issue, value)]);
    }
  }
  return errors;
}

/** A missing member is reported as required, whatever message its schema has for wrong values. */
function toMessage(issue: z.core.$ZodIssue, value: unknown): string {
  return OF_A_VALUE.has(issue.code) && isMissing(value, issue.path) ? REQUIRED : issue.message;
}

const REQUIRED = "This field is required.";

/** Issues of a single value. A rule between members has a message of its own. */
const OF_A_VALUE: ReadonlySet<z.core.$ZodIssue["code"]> = new Set([
  "invalid_type",
  "invalid_value",
  "invalid_union",
]);

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) {
      return true;
    }
    at = Reflect.get(at, name);
  }
  return at === undefined;
}

/** The members an issue concerns. An unrecognized member is named itself. */
function toMembers(issue: z.core.$ZodIssue): string[] {
  // A key may be empty in an object whose keys the caller chooses.
  const path = issue.path.map(String).filter((name) => name !== "");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => toPrintableName([...path, key].join(".")));
  }
  return [toPrintableName(path.join(".")) || "body"];
}

/** Our own sentences, for schemas without any. */
export function toSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") {
    return "This field is not allowed here.";
  }
  if (issue.code === "invalid_key") {
    return issue.issues[0]?.message;
  }
  if (issue.code === "invalid_value") {
    return `This field must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
  }
  if (issue.code === "invalid_type") {
    return `This field must be ${NOUNS[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === "too_small" || issue.code === "too_big") {
    return toBoundSentence(issue);
  }
  return issue.code === "invalid_union" ? toChoiceSentence(issue.errors) : undefined;
}

/** What the first of several alternative forms asks for. */
function toChoiceSentence(forms: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  return forms.flat().find((issue) => !isOfEmptyText(issue))?.message;
}

/** The form "empty text", which counts as absent, is not worth mentioning. */
function isOfEmptyText(issue: z.core.$ZodIssue): boolean {
  return issue.code === "invalid_value" && issue.values.every((value) => value === "");
}

function toBoundSentence(issue: z.core.$ZodRawIssue<Bound>): string {
  const bound = issue.code === "too_big" ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
  const units = UNITS[issue.origin];
  return `This field must ${units ? `have ${bound} ${units}` : `be ${bound}`}.`;
}

type Bound = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

const UNITS: Readonly<Record<string, string>> = { string: "characters", array: "entries" };

const NOUNS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
