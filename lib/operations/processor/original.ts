import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { anyReference } from "#lib/operations/processor/parts.ts";
import { ORIGINAL_KINDS } from "#db/schema/processor.ts";

/** The sender's own reference for the operation that it refunds or reverses, with that operation's kind. */
export const original = {
  original_reference: anyReference
    .optional()
    .describe("Your own reference for the capture, posting, or refund. Only with original_kind."),
  original_kind: logSafe(z.enum(ORIGINAL_KINDS))
    .optional()
    .describe(
      "What original_reference names; capture and posting are both a purchase. Only with original_reference.",
    ),
};

/** The members that may name the subject of a request, each with its value. */
type Named = Readonly<Record<string, unknown>>;

/** Requires that at most one of these members names a body's subject, and that a reference comes with its kind. */
export function requireOneName(
  { value, issues }: { value: Named; issues: z.core.$ZodRawIssue[] },
  names: readonly string[],
): void {
  const refuse = (path: string, message: string) =>
    issues.push({ code: "custom", input: value, path: [path], message });
  const [first, second] = names.filter((name) => value[name] !== undefined);
  if (second !== undefined) {
    refuse(
      second,
      `This field is not allowed with ${String(first)}: send one of ${names.join(", ")}.`,
    );
  }
  for (const [given, missing] of [
    ["original_reference", "original_kind"],
    ["original_kind", "original_reference"],
  ] as const) {
    if (value[given] !== undefined && value[missing] === undefined) {
      refuse(given, `This field is allowed with ${missing} only.`);
    }
  }
}

/** The rule of `requireOneName` for the document. */
export function withOneName(names: readonly string[]) {
  return {
    dependentRequired: {
      original_reference: ["original_kind"],
      original_kind: ["original_reference"],
    },
    allOf: names.flatMap((one, index) =>
      names.slice(index + 1).map((other) => notBoth(one, other)),
    ),
  };
}

/** A body without one of two members. */
export function notBoth(one: string, other: string) {
  return { not: { properties: { [one]: {}, [other]: {} }, required: [one, other] } };
}
