"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { startTransition, useEffect, useOptimistic, useState } from "react";
import { toHref } from "../ui/pager.tsx";
import { OPEN } from "./open-param.ts";

/** How long to wait before fetching: when rows are passed in quick succession, only the last one is fetched. */
const REST_MS = 150;

/**
 * Which record of a list is open beside it. The URL stores this, so that a reload, Back, and a shared link show the
 * same record. Opening one adds to the history; moving to another does not.
 * @param shownId the record that the server sent with the page; null for none.
 */
export function useOpenRecord(shownId: string | null) {
  const router = useRouter();
  const { hrefOf, closedHref } = useHrefs();
  // The requested record counts until the navigation is over, however it ends; after that, the page's record counts.
  const [openId, setOpenId] = useOptimistic(shownId);
  const comeToRest = useRest();

  const show = (id: string) => {
    if (id === openId) {
      return;
    }
    startTransition(async () => {
      setOpenId(id);
      if (openId === null) {
        router.push(hrefOf(id), { scroll: false });
      } else if (await comeToRest()) {
        startTransition(() => router.replace(hrefOf(id), { scroll: false }));
      }
    });
  };
  const close = () =>
    startTransition(() => {
      setOpenId(null);
      if (isPrevious(closedHref)) {
        router.back();
      } else {
        router.replace(closedHref, { scroll: false });
      }
    });
  return { openId, closedHref, show, close };
}

/** The list's own URL, with and without an open record. */
function useHrefs() {
  const path = usePathname();
  const search = useSearchParams();
  const hrefOf = (id: string | undefined) =>
    toHref(path, { ...Object.fromEntries(search), [OPEN]: id });
  return { hrefOf, closedHref: hrefOf(undefined) };
}

/** Whether Back leads to this URL. In browsers that cannot tell, assumes that it does not. */
function isPrevious(href: string): boolean {
  if (!("navigation" in window)) {
    return false;
  }
  const { currentEntry } = window.navigation;
  const before = currentEntry && window.navigation.entries()[currentEntry.index - 1];
  return before?.url === new URL(href, location.href).href;
}

/**
 * Resolves to whether to continue: at once for the first call; in quick succession, only for the last call, after a
 * pause. Going back also ends the wait.
 */
function useRest(): () => Promise<boolean> {
  const [rest] = useState(newRest);
  useEffect(() => {
    window.addEventListener("popstate", rest.cancel);
    return () => {
      rest.cancel();
      window.removeEventListener("popstate", rest.cancel);
    };
  }, [rest]);
  return rest.come;
}

function newRest() {
  let lastAt = Number.NEGATIVE_INFINITY;
  let end: (() => void) | null = null;
  const come = () => {
    end?.();
    const pause = performance.now() - lastAt < REST_MS ? REST_MS : 0;
    lastAt = performance.now();
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, pause, true);
      end = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  };
  return { come, cancel: () => end?.() };
}
