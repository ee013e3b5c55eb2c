"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import type { z } from "zod";
import { useFreshSignIn } from "./fresh-sign-in.tsx";
import { notify } from "./notice-store.ts";
import { prepareNotices } from "./notices.tsx";
import { rememberUnknown } from "./unknown-outcomes.ts";
import { ApiProblem, callChange, isLost, UnknownOutcomeError } from "#lib/api/client.ts";
import type { ApiInput, SentRequest, LazyOperation } from "#lib/api/client.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { ApprovalNeeded } from "#lib/api/approval-needed.ts";
import { newId } from "#lib/base/ids.ts";

/** A closing dialog changes the URL, which would drop a refresh in progress. So the refresh waits this long. */
const SETTLED_MS = 120;

const UNKNOWN =
  "Canceled before the server responded. The change may have gone through: check before you try again.";

/**
 * An operation that changes something, as a mutation. Each submission has an idempotency key of its own, kept until a
 * final response arrives: a double click, a retry, or a lost response changes things once. Afterward, the page shows
 * the server's state. A request ends with its component: closing the dialog cancels it, and nothing is sent later.
 */
export function useOperation<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: LazyOperation<Q, B, A>,
  onDone?: (answer: z.output<A>) => void,
  onResponse?: (sent: SentRequest) => void,
) {
  const router = useRouter();
  const confirm = useFreshSignIn();
  const key = useRef<string | null>(null);
  const refresh = () =>
    setTimeout(() => {
      // A failed refresh would replace the page with the browser's error page.
      if (navigator.onLine) {
        router.refresh();
      }
    }, SETTLED_MS);
  const lifetime = useLifetime(() => {
    void lookUpLater(operation, key.current);
    refresh();
  });

  const attempt = async (input: ApiInput<z.input<Q>, z.input<B>>): Promise<z.output<A>> => {
    const isRepeat = key.current !== null;
    key.current ??= newId();
    const idempotencyKey = key.current;
    try {
      const answer = await lifetime.run((signal) =>
        callChange(operation, input, { idempotencyKey, signal, isRepeat, onResponse }),
      );
      key.current = null;
      return answer;
    } catch (error) {
      if (!isLost(error)) {
        key.current = null;
      }
      if (error instanceof UnknownOutcomeError) {
        void lookUpLater(operation, key.current);
      }
      if (error instanceof ApprovalNeeded) {
        notify("Sent for approval. Nothing has happened yet.");
        router.push(`/approvals/${error.approvalId}`);
      }
      if (isCode(error, "fresh_sign_in_required") && (await confirm())) {
        return attempt(input);
      }
      throw error;
    }
  };

  return useMutation<z.output<A>, unknown, ApiInput<z.input<Q>, z.input<B>>>({
    mutationFn: attempt,
    onSuccess: (answer) => {
      onDone?.(answer);
      refresh();
    },
  });
}

/** Aborts requests when their component unmounts, and reports those whose outcome is unknown. */
function useLifetime(onUnknown: () => void) {
  const controller = useRef<AbortController | null>(null);
  const isUnknown = useRef(false);
  const end = useRef(onUnknown);
  useEffect(() => {
    end.current = onUnknown;
  });
  useEffect(() => {
    controller.current = new AbortController();
    return () => {
      controller.current?.abort();
      if (isUnknown.current) {
        isUnknown.current = false;
        notify(UNKNOWN, "warning");
        end.current();
      }
    };
  }, []);
  return {
    run: async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      const signal = controller.current?.signal ?? AbortSignal.abort();
      signal.throwIfAborted();
      // A request that begins without a connection never arrives.
      isUnknown.current ||= navigator.onLine;
      prepareNotices();
      try {
        const answer = await work(signal);
        isUnknown.current = false;
        return answer;
      } catch (error) {
        isUnknown.current &&= isLost(error);
        throw error;
      }
    },
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiProblem && error.problem.code === code;
}

/** Schedules an outcome lookup if the response is stored. */
async function lookUpLater(load: () => Promise<Operation>, key: string | null): Promise<void> {
  if (key !== null && !(await load()).secret) {
    rememberUnknown(key);
  }
}
