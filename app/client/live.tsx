"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

const PERIOD_MS = 10_000;
/** A page without input for this long stops polling, so that a forgotten tab does not keep its session alive. */
const ATTENDED_MS = 5 * 60_000;
/** A toast has the role of a dialog too, but does not block the page. */
const DIALOGS = "[role=dialog], [role=alertdialog]:not([aria-modal=false])";

/**
 * Keeps a page up to date while somebody is looking at it and no dialog is open over it.
 * @param everyMs how often, where something is about to happen.
 */
export function Live({ everyMs = PERIOD_MS }: { everyMs?: number }) {
  const router = useRouter();
  useWhileAttended(() => router.refresh(), everyMs);
  return null;
}

/** Runs the work periodically while somebody is looking at the page and no dialog is open over it. */
export function useWhileAttended(work: () => void, everyMs = PERIOD_MS): void {
  const latest = useRef(work);
  const touchedAt = useRef(0);
  useEffect(() => {
    latest.current = work;
  });
  useEffect(() => {
    const touch = () => {
      touchedAt.current = Date.now();
    };
    touch();
    window.addEventListener("pointermove", touch);
    window.addEventListener("keydown", touch);
    const timer = setInterval(() => {
      const isAttended = Date.now() - touchedAt.current < ATTENDED_MS;
      // A refresh that fails would replace the page by the browser's own page for errors.
      if (isAttended && !document.hidden && !isCovered() && navigator.onLine) {
        latest.current();
      }
    }, everyMs);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pointermove", touch);
      window.removeEventListener("keydown", touch);
    };
  }, [everyMs]);
}

/** Whether a dialog is open: a refresh under it could take away what it is about. */
export function isCovered(): boolean {
  return document.querySelector(DIALOGS) !== null;
}
