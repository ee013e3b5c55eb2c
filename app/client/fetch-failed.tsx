"use client";

import type { Elements } from "../ui/elements.ts";
import { Button } from "../ui/button.tsx";

/** Places the alert above the notice that the page is offline. */
const OVER_PAGE =
  "bg-surface border-border fixed inset-x-4 bottom-20 z-50 mx-auto w-fit rounded-lg border px-4 py-3 shadow-lg";

/** Says that a component's script could not be loaded, and offers to load it again. */
export function FetchFailed({
  standIn,
  onRetry,
}: {
  /** What stays on the page while the alert is shown over it; undefined if the alert takes its place. */
  standIn: Elements;
  onRetry: () => void;
}) {
  return (
    <>
      {standIn}
      <span
        className={`text-declined flex items-center gap-2 text-xs ${standIn === undefined ? "" : OVER_PAGE}`}
        role="alert"
      >
        Couldn't load this. Check your connection.
        <Button onPress={onRetry} size="sm" variant="outline">
          Try again
        </Button>
      </span>
    </>
  );
}
