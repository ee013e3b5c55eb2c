"use client";

import { useRouter } from "next/navigation";
import { createContext, startTransition, use, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { ReactNode } from "react";

const StaleContext = createContext(false);

/**
 * Going back or forward shows a page as it was, from the router's or the browser's cache. Its balances may have
 * changed since. So this refreshes it at once, and marks it as stale until then.
 */
export function ReturnedPage({ children }: { children: ReactNode }) {
  const isStale = useStaleOnReturn();
  return <StaleContext value={isStale}>{children}</StaleContext>;
}

/** Whether the page was returned to and is not up to date yet. */
export function useIsStale(): boolean {
  return use(StaleContext);
}

function useStaleOnReturn(): boolean {
  const router = useRouter();
  const [isStale, setStale] = useState(false);
  useEffect(() => {
    const renew = () => {
      // Before anything is painted.
      flushSync(() => setStale(true));
      // Only after the router has shown the earlier page: it would drop a refresh that began sooner.
      setTimeout(() =>
        startTransition(() => {
          router.refresh();
          // Part of the transition, which ends when the refreshed page is there.
          setStale(false);
        }),
      );
    };
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) {
        renew();
      }
    };
    window.addEventListener("popstate", renew);
    window.addEventListener("pageshow", show);
    return () => {
      window.removeEventListener("popstate", renew);
      window.removeEventListener("pageshow", show);
    };
  }, [router]);
  return isStale;
}
