"use client";

import { useState } from "react";
import { ApiProblem } from "#lib/api/client.ts";
import type { Operation } from "#lib/operations/operation.ts";

type Errors = Readonly<Record<string, readonly string[] | string>>;

/**
 * The values of a form and their errors: first from the operation's own schema, so that a field never sends what the
 * server would refuse for its format, then from the server's response.
 */
export function useForm<Values extends Record<string, unknown>>(
  initial: Values,
  serverError: unknown,
) {
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const [found, setFound] = useState<Errors>({});
  /** The fields that were changed since the last error response: its errors for them no longer count. */
  const [corrected, setCorrected] = useState<{ names: readonly string[]; since: unknown }>({
    names: [],
    since: null,
  });
  const names = corrected.since === serverError ? corrected.names : [];
  return {
    values,
    /** Whether anything differs from the initial or last saved values. */
    isDirty: Object.keys(values).some((name) => !Object.is(values[name], saved[name])),
    /** Records that the values are saved: leaving loses nothing. */
    markSaved: () => setSaved(values),
    errors: { ...findAnswered(serverError, names), ...found },
    set: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => {
      setValues((old) => ({ ...old, [name]: value }));
      setFound(({ [name]: _corrected, ...rest }) => rest);
      setCorrected({ names: [...names, name], since: serverError });
    },
    /** Sends a body if it is valid; otherwise shows its errors. */
    send: async (
      load: () => Promise<Operation>,
      body: unknown,
      send: () => void,
    ): Promise<void> => {
      const errors = await judge(load, body);
      setFound(errors);
      if (Object.keys(errors).length === 0) {
        send();
      }
    },
  };
}

/** The errors of the response, except for these members. */
function findAnswered(error: unknown, corrected: readonly string[]): Errors {
  const errors = error instanceof ApiProblem ? (error.problem.errors ?? {}) : {};
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !corrected.includes(name)));
}

/**
 * The errors of a body. The schema and the code that checks it are loaded when a form is sent: no page needs them
 * earlier.
 */
async function judge(load: () => Promise<Operation>, body: unknown): Promise<Errors> {
  // If they cannot be loaded, sending reports the problem, because it needs the same connection.
  const loaded = await Promise.all([load(), import("./find-errors.ts")]).catch(() => null);
  return loaded === null ? {} : loaded[1].findErrors(loaded[0], body);
}
