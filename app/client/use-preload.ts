"use client";

import { useEffect } from "react";
import { useIsSettled } from "../ui/use-is-settled.ts";

/** Loads a component's script once the page has settled, before the component is needed. */
export function usePreload({ preload }: { preload: () => void }): void {
  const isSettled = useIsSettled();
  useEffect(() => {
    if (isSettled) {
      preload();
    }
  }, [isSettled, preload]);
}
