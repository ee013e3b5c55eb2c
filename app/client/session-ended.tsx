"use client";

import { toGatePath } from "./gate-path.ts";
import { OTHER_PERSON, reload } from "./other-person.tsx";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { isSessionChange, UnknownOutcomeError } from "#lib/api/client.ts";

/**
 * Says that the page's person is no longer signed in, and what that means for the request that was just sent. Links to
 * sign-in and back, or to the page of the person who is signed in now.
 */
export function SessionEnded({ error }: { error: unknown }) {
  const isChanged = isSessionChange(error);
  return (
    <Alert title={isChanged ? OTHER_PERSON : "Your session has ended"} tone="danger">
      <p>{toMeaning(error)}</p>
      {isChanged ? <Reload /> : <SignIn />}
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
    <Button className="mt-1" onPress={reload} size="sm" variant="secondary">
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
