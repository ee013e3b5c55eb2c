"use client";

import { useState } from "react";
import type { z } from "zod";
import { ApiProblem } from "#lib/api/client.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { validate } from "#lib/api/edge/validate.ts";
import { isDomainError } from "#lib/base/errors.ts";

type Errors = Readonly<Record<string, readonly string[] | string>>;

/**
 * The values of a form and what is wrong with them: first by the operation's own schema, so that a field never sends
 * what the server refuses for its form, then by the server's answer.
 */
export function useForm<Values extends Record<string, unknown>>(
  initial: Values,
  serverError: unknown,
) {
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const [found, setFound] = useState<Errors>({});
  const answered: Errors =
    serverError instanceof ApiProblem ? (serverError.problem.errors ?? {}) : {};
  return {
    values,
    /** Whether anything differs from what the form began with, or from what was saved since. */
    isDirty: Object.keys(values).some((name) => !Object.is(values[name], saved[name])),
    /** Records that the values are saved: leaving loses nothing. */
    markSaved: () => setSaved(values),
    errors: { ...answered, ...found },
    set: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => {
      setValues((old) => ({ ...old, [name]: value }));
      setFound(({ [name]: _corrected, ...rest }) => rest);
    },
    /** Sends a body if it may be sent; otherwise what is wrong with it is shown. */
    send: async (
      load: () => Promise<Operation>,
      body: unknown,
      send: () => void,
    ): Promise<void> => {
      // Where the schema cannot be fetched, sending says why: it needs the same connection.
      const operation = await load().catch(() => null);
      const errors = findErrors(operation?.body ?? null, body);
      setFound(errors);
      if (Object.keys(errors).length === 0) {
        send();
      }
    },
  };
}

function findErrors(schema: z.ZodType | null, body: unknown): Errors {
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
