import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { ERRORS_MAX, toErrors, toRefusal, toSentence, validate } from "#lib/api/edge/validate.ts";
import type { Known } from "#lib/api/edge/validate.ts";
import type { Judged } from "#lib/api/edge/internal/advice.ts";

/** How many elements of a list are validated before other requests get a turn: a few milliseconds of work. */
const TURN_ELEMENTS = 250;

/**
 * Like `validate`, for a body whose lists may have thousands of elements: other requests proceed in the meantime. If
 * more elements are invalid than a refusal names, the body is refused for these alone.
 * @throws DomainError `validation_failed`.
 */
export async function validateLong<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  known: Known,
): Promise<z.output<Schema>> {
  for (const list of findLongLists(schema, value)) {
    await judgeElements(list, { schema, value, operation: known.operation });
  }
  return validate(schema, value, known);
}

interface LongList {
  name: string;
  elements: readonly unknown[];
  schema: z.core.$ZodType;
}

function findLongLists(schema: z.ZodType, value: unknown): LongList[] {
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, elements]) => {
    const list = Object.hasOwn(schema.shape, name) ? toInner(schema.shape[name]) : undefined;
    return list instanceof z.ZodArray && Array.isArray(elements) && elements.length > TURN_ELEMENTS
      ? [{ name, elements, schema: list.element }]
      : [];
  });
}

function toInner(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/**
 * Stops after the first turn by which more members of elements are invalid than a refusal names: counting the rest
 * would cost as much as performing the request.
 * @throws DomainError `validation_failed`.
 */
async function judgeElements({ name, elements, schema }: LongList, judged: Judged): Promise<void> {
  const errors = new Map<string, readonly string[]>();
  for (const [at, element] of elements.entries()) {
    const { error } = z.safeParse(schema, element, { error: toSentence });
    const issues = error?.issues.map((issue) => ({ ...issue, path: [name, at, ...issue.path] }));
    for (const [member, sentences] of toErrors(issues ?? [], judged.value)) {
      errors.set(member, sentences);
    }
    const done = at + 1;
    if (done % TURN_ELEMENTS === 0 || done === elements.length) {
      if (errors.size > ERRORS_MAX) {
        throw toRefusal(errors, judged, ` in the first ${done} of ${elements.length} elements`);
      }
      await setImmediate();
    }
  }
}
