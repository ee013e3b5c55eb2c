"use client";

import { useEffect } from "react";
import { useIsSettled } from "../ui/use-is-settled.ts";

/** Fetches a component's script once the page has come to rest, before the component is needed. */
export function usePreload({ preload }: { preload: () => void }): void {
  const isSettled = useIsSettled();
  useEffect(() => {
    if (isSettled) {
      preload();
    }
  }, [isSettled, preload]);
}
