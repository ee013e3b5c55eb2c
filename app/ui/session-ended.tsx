"use client";

import { Alert } from "@heroui/react";
import { toGatePath } from "../client/gate-path.ts";
import { UnknownOutcomeError } from "#lib/api/client.ts";

/** Says that the session has ended and what that means for what was just sent; leads to sign-in and back. */
export function SessionEnded({ error }: { error: unknown }) {
  const { pathname, search } = window.location;
  return (
    <Alert role="alert" status="danger">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>Your session has ended</Alert.Title>
        <Alert.Description>
          <span className="block">{toMeaning(error)}</span>
          {/* A whole load: nothing of the ended session may be left in memory. */}
          <a
            className="underlined-link mt-1 inline-block"
            href={toGatePath("/sign-in", `${pathname}${search}`)}
          >
            Sign in
          </a>
        </Alert.Description>
      </Alert.Content>
    </Alert>
  );
}

function toMeaning(error: unknown): string {
  if (!(error instanceof UnknownOutcomeError)) {
    return "Nothing was changed. Sign in to come back to this page and try again.";
  }
  return error.isStored
    ? "We don't know yet whether this went through. Sign in and we'll check. It won't be sent again."
    : "We can't tell whether this went through. Sign in and check before you try again.";
}
