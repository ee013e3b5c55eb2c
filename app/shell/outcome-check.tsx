"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { OPERATIONS } from "../client/operations.ts";
import { forgetUnknown } from "../client/unknown-outcomes.ts";
import type { UnknownOutcome } from "../client/unknown-outcomes.ts";
import { findOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { callApi, isSessionEnd } from "#lib/api/client.ts";

const PERIOD_MS = 2_000;

const CHECKING: Outcome = {
  tone: "warning",
  title: "Checking your last change",
  detail: "Its answer was lost. We're finding out whether it went through.",
};

/** Looks a change up until its outcome is known, and shows it. The change is never sent again. */
export function OutcomeCheck({ outcome }: { outcome: UnknownOutcome }) {
  const router = useRouter();
  const query = useQuery({
    queryKey: ["outcome", outcome.key],
    queryFn: ({ signal }) => callApi(OPERATIONS.getIdempotencyKey, { id: outcome.key }, { signal }),
    refetchInterval: ({ state }) =>
      isSessionEnd(state.error) ||
      findOutcome(state.data?.data, toAge(outcome, state.dataUpdatedAt))
        ? false
        : PERIOD_MS,
  });
  const found = findOutcome(query.data?.data, toAge(outcome, query.dataUpdatedAt));
  const isFound = found !== undefined;
  useEffect(() => {
    if (isFound) {
      router.refresh();
    }
  }, [isFound, router]);
  if (isSessionEnd(query.error)) {
    // The change will be looked up after the next sign-in.
    return null;
  }
  const { tone, title, detail } = found ?? CHECKING;
  return (
    <div className="fixed inset-x-4 bottom-4 z-40 mx-auto w-fit max-w-lg shadow-lg" role="status">
      <Alert
        action={
          isFound && (
            <Button onPress={() => forgetUnknown(outcome.key)} size="sm" variant="secondary">
              Close
            </Button>
          )
        }
        title={title}
        tone={tone}
      >
        {detail}
      </Alert>
    </div>
  );
}

/** The age of the change when it was looked up. */
function toAge({ sentAt }: UnknownOutcome, lookedUpAt: number): number {
  return lookedUpAt - sentAt;
}
