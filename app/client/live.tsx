"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { BALANCES } from "../ui/balances.tsx";
import { reportTrouble } from "./trouble.ts";

const PERIOD_MS = 10_000;
/** A page without input for this long stops polling, so that a forgotten tab does not keep its session alive. */
const ATTENDED_MS = 5 * 60_000;
/**
 * A toast has the role of a dialog too, but does not block the page. A dialog with balances needs the page current,
 * and its subject does not disappear with a refresh.
 */
const DIALOGS = `:is([role=dialog], dialog[open], [role=alertdialog]:not([aria-modal=false])):not(:has([${BALANCES}]))`;

/** If the server does not respond within this time, the page is not refreshed. */
const TIMEOUT_MS = 5_000;

/**
 * Keeps a page up to date while somebody is looking at it and no dialog is open over it, except one that shows
 * balances.
 * @param everyMs how often, if something is about to happen.
 */
export function Live({ everyMs = PERIOD_MS }: { everyMs?: number }) {
  const router = useRouter();
  // If the server takes longer than the period, it gets no second request before it has answered the first.
  const [isRefreshing, startRefresh] = useTransition();
  const report = useTrouble();
  useWhileAttended(() => {
    const refreshIfServed = async () => {
      const served = await isServed();
      report(!served);
      if (served && !isCovered()) {
        startRefresh(() => router.refresh());
      }
    };
    if (!isRefreshing) {
      void refreshIfServed();
    }
  }, everyMs);
  return null;
}

/**
 * Whether the server and its database respond. While they do not, this small request is sent instead of one for a
 * page: the browser does not notice that a server restarts, and notices a lost network late.
 */
async function isServed(): Promise<boolean> {
  try {
    return (await fetch("/api/health/ready", { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

/**
 * Returns a function that reports whether the page is waiting for the server. The report ends when the page goes
 * away.
 */
export function useTrouble(): (isWaiting: boolean) => void {
  const [source] = useState(() => ({}));
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      reportTrouble(source, false);
    };
  }, [source]);
  return (isWaiting) => reportTrouble(source, isWaiting && isShown.current);
}

/** Runs the work periodically, and on reconnecting, while somebody is looking at the page and no dialog covers it. */
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
    const workIfAttended = () => {
      const isAttended = Date.now() - touchedAt.current < ATTENDED_MS;
      if (isAttended && !document.hidden && !isCovered() && navigator.onLine) {
        latest.current();
      }
    };
    const timer = setInterval(workIfAttended, everyMs);
    // A person who returns from another tab may have changed something there.
    const returnTo = () => {
      touch();
      workIfAttended();
    };
    document.addEventListener("visibilitychange", returnTo);
    window.addEventListener("online", workIfAttended);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", workIfAttended);
      document.removeEventListener("visibilitychange", returnTo);
      window.removeEventListener("pointermove", touch);
      window.removeEventListener("keydown", touch);
    };
  }, [everyMs]);
}

/** Whether an open dialog could be disturbed by a refresh of the page, which could remove the dialog's subject. */
export function isCovered(): boolean {
  return document.querySelector(DIALOGS) !== null;
}
