"use client";

import { useSyncExternalStore } from "react";
import { hasTrouble, subscribeTrouble } from "./trouble.ts";

/** Says that the page is offline or waiting for the server. Overlays the page, so that nothing moves. */
export function BusyNotice() {
  const isBusy = useSyncExternalStore(subscribeTrouble, hasTrouble, () => false);
  const isOnline = useSyncExternalStore(
    subscribeConnection,
    () => navigator.onLine,
    () => true,
  );
  return (
    // Always rendered, because a screen reader announces what appears inside it.
    <div
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex justify-center print:hidden"
      role="status"
    >
      {(isBusy || !isOnline) && (
        <p className="bg-surface border-border flex items-center gap-2 rounded-lg border px-4 py-3 shadow-lg">
          <span aria-hidden className="bg-pending size-2 rounded-full motion-safe:animate-pulse" />
          <span>
            {isOnline ? "Busy, trying again" : "You're offline. This page may be out of date."}
          </span>
        </p>
      )}
    </div>
  );
}

function subscribeConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
