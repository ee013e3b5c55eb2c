"use client";

import type { z } from "zod";
import { useForm } from "./use-form.ts";
import { useOperation } from "./use-operation.ts";
import type { ApiInput, LazyOperation } from "#lib/api/client.ts";

/** A form that performs one operation. `onDone` is called once the operation has succeeded. */
export function useOperationForm<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  Values extends Record<string, unknown>,
>(operation: LazyOperation<Q, B, A>, initial: Values, onDone?: (answer: z.output<A>) => void) {
  const { mutate, error, isPending } = useOperation(operation, onDone);
  const form = useForm(initial, error);
  return {
    form,
    error,
    isPending,
    /** Performs the operation if the body is valid; otherwise shows the body's errors. */
    submit: (input: ApiInput<z.input<Q>, z.input<B>>, onSuccess?: () => void) =>
      void form.send(operation, input.body, () => mutate(input, onSuccess && { onSuccess })),
  };
}
