"use client";

import { Alert } from "@heroui/react";
import { toGatePath } from "./gate-path.ts";
import { OTHER_PERSON, reload } from "./other-person.tsx";
import { Button } from "../ui/button.tsx";
import { isSessionChange, UnknownOutcomeError } from "#lib/api/client.ts";

/**
 * Says that the page's person is no longer signed in, and what that means for the request that was just sent. Links to
 * sign-in and back, or to the page of the person who is signed in now.
 */
export function SessionEnded({ error }: { error: unknown }) {
  const isChanged = isSessionChange(error);
  return (
    <Alert role="alert" status="danger">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{isChanged ? OTHER_PERSON : "Your session has ended"}</Alert.Title>
        <Alert.Description>
          <span className="block">{toMeaning(error)}</span>
          {isChanged ? <Reload /> : <SignIn />}
        </Alert.Description>
      </Alert.Content>
    </Alert>
  );
}

function SignIn() {
  const { pathname, search } = window.location;
  return (
    // A full page load, so that nothing of the ended session stays in memory.
    <a
      className="underlined-link mt-1 inline-block"
      href={toGatePath("/sign-in", `${pathname}${search}`)}
    >
      Sign in
    </a>
  );
}

function Reload() {
  return (
    <Button className="mt-1" onPress={reload} size="sm" variant="tertiary">
      Reload page
    </Button>
  );
}

function toMeaning(error: unknown): string {
  if (error instanceof UnknownOutcomeError) {
    return error.isStored
      ? "We don't know yet whether this went through. Sign in as the person who sent it and we'll check. It won't be sent again."
      : "We can't tell whether this went through. Sign in as the person who sent it and check before you try again.";
  }
  return isSessionChange(error)
    ? "This page belongs to the account you were signed in to before. Nothing was changed. Reload it to continue with the other account."
    : "Nothing was changed. Sign in to come back to this page and try again.";
}
