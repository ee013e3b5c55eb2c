"use client";

import { useSyncExternalStore } from "react";
import { hasTrouble, subscribeTrouble } from "./trouble.ts";

/** Says that the page waits for the server. It lies over the page, so that nothing moves. */
export function BusyNotice() {
  const isBusy = useSyncExternalStore(subscribeTrouble, hasTrouble, () => false);
  return (
    // Always there, because a screen reader announces what appears inside.
    <div
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex justify-center print:hidden"
      role="status"
    >
      {isBusy && (
        <p className="bg-surface border-border flex items-center gap-2 rounded-lg border px-4 py-3 shadow-lg">
          <span aria-hidden className="bg-pending size-2 rounded-full motion-safe:animate-pulse" />
          <span>{navigator.onLine ? "Busy, trying again" : "You're offline, trying again"}</span>
        </p>
      )}
    </div>
  );
}
