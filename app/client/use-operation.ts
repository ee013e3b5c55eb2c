"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import type { z } from "zod";
import { useFreshSignIn } from "./fresh-sign-in.tsx";
import { ApiProblem, callApi, isLost } from "#lib/api/client.ts";
import type { ApiInput, LazyOperation } from "#lib/api/client.ts";
import { newId } from "#lib/ids.ts";

const RETRIES_MAX = 2;

/** A dialog that closes changes the address, and that would drop a refresh under way: the refresh comes after it. */
const SETTLED_MS = 120;

/**
 * An operation that changes something, as a mutation. Each submission has an idempotency key of its own, kept until a
 * definite answer has come: a double click, a retry or a lost answer change things once. Afterwards the page shows what
 * the server says.
 */
export function useOperation<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: LazyOperation<Q, B, A>,
  onDone?: (answer: z.output<A>) => void,
) {
  const router = useRouter();
  const confirm = useFreshSignIn();
  const key = useRef<string | null>(null);

  const attempt = async (input: ApiInput<z.input<Q>, z.input<B>>): Promise<z.output<A>> => {
    key.current ??= newId();
    try {
      const answer = await callApi(operation, input, { idempotencyKey: key.current });
      key.current = null;
      return answer;
    } catch (error) {
      if (!isLost(error)) {
        key.current = null;
      }
      if (isCode(error, "credential_missing")) {
        toSignIn();
      }
      if (isCode(error, "fresh_sign_in_required") && (await confirm())) {
        return attempt(input);
      }
      throw error;
    }
  };

  return useMutation<z.output<A>, unknown, ApiInput<z.input<Q>, z.input<B>>>({
    mutationFn: attempt,
    retry: (failures, error) => isLost(error) && failures < RETRIES_MAX,
    onSuccess: (answer) => {
      onDone?.(answer);
      setTimeout(() => router.refresh(), SETTLED_MS);
    },
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiProblem && error.problem.code === code;
}

/** The session has ended meanwhile; after signing in one is back where one was. */
function toSignIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(pathname + search)}`);
}
