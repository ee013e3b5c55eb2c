"use client";

import { useEffect } from "react";
import { Button } from "../ui/button.tsx";

/** The explanation for why a page is no longer shown. */
export const OTHER_PERSON = "You signed in to another account in this browser";

/** Replaces a page that was made for another person, and reloads it for the current one. */
export function OtherPerson() {
  useEffect(reload, []);
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center" role="alert">
      <h1 className="text-base font-medium">{`${OTHER_PERSON}.`}</h1>
      <p className="text-muted">Reload the page to continue with that account.</p>
      <Button onPress={reload}>Reload page</Button>
    </div>
  );
}

export function reload(): void {
  window.location.reload();
}
