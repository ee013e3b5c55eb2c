"use client";

import { useEffect, useState } from "react";

const PAUSE_MS = 100;

/** Whether the page has loaded and settled: heavy code that can wait is loaded from then on. */
export function useIsSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      timer = setTimeout(() => setSettled(true), PAUSE_MS);
    };
    if (document.readyState === "complete") {
      settle();
    } else {
      window.addEventListener("load", settle, { once: true });
    }
    return () => {
      clearTimeout(timer);
      window.removeEventListener("load", settle);
    };
  }, []);
  return isSettled;
}
