"use client";

import { useState } from "react";
import type { z } from "zod";
import { ApiProblem } from "#lib/api/client.ts";
import { validate } from "#lib/api/validate.ts";
import { isDomainError } from "#lib/errors.ts";

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
  const [found, setFound] = useState<Errors>({});
  const answered: Errors =
    serverError instanceof ApiProblem ? (serverError.problem.errors ?? {}) : {};
  return {
    values,
    errors: { ...answered, ...found },
    set: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => {
      setValues((old) => ({ ...old, [name]: value }));
      setFound(({ [name]: _mended, ...rest }) => rest);
    },
    /** Whether a body may be sent; otherwise what is wrong with it is shown. */
    check: (schema: z.ZodType | null, body: unknown): boolean => {
      try {
        if (schema) {
          validate(schema, body);
        }
        setFound({});
        return true;
      } catch (error) {
        setFound(isDomainError(error) ? (error.errors ?? {}) : {});
        return false;
      }
    },
  };
}
