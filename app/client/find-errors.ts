import type { Operation } from "#lib/operations/operation.ts";
import { validate } from "#lib/api/edge/validate.ts";
import { isDomainError } from "#lib/base/errors.ts";

/** What is wrong with the members of a body, according to the operation's own schema. */
export function findErrors(
  { body: schema }: Operation,
  body: unknown,
): Readonly<Record<string, readonly string[] | string>> {
  try {
    if (schema) {
      validate(schema, body);
    }
    return {};
  } catch (error) {
    if (isDomainError(error)) {
      return error.errors ?? {};
    }
    throw error;
  }
}
