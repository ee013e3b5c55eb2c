"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { onNavigation } from "../ui/navigation.ts";
import { PageSkeleton } from "./page-skeleton.tsx";

/** A page that arrives within this time replaces the previous one without a skeleton. */
const DELAY_MS = 150;

/**
 * Shows the outline of the page that is being fetched, in place of the previous page. In the browser only: the server
 * sends whole pages, which work without JavaScript and have the right status.
 */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  const pending = usePendingPath(usePathname());
  return (
    <>
      {pending !== null && <PageSkeleton path={pending} />}
      <div className="contents" hidden={pending !== null}>
        {children}
      </div>
    </>
  );
}

/** The path of the page that is being fetched; null if there is none, or the fetch has just begun. */
function usePendingPath(path: string): string | null {
  const [pending, setPending] = useState<{ from: string; to: string } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancel = () => {
      clearTimeout(timer);
      setPending(null);
    };
    const stop = onNavigation(({ origin, pathname }) => {
      cancel();
      const from = location.pathname;
      if (origin === location.origin && pathname !== from) {
        timer = setTimeout(() => setPending({ from, to: pathname }), DELAY_MS);
      }
    });
    // Going back abandons the page that is being fetched.
    window.addEventListener("popstate", cancel);
    return () => {
      clearTimeout(timer);
      stop();
      window.removeEventListener("popstate", cancel);
    };
  }, []);
  // Wherever the navigation led, it is over once the previous page has been replaced.
  return pending?.from === path ? pending.to : null;
}
