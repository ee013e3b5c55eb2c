"use client";

import { useEffect, useState } from "react";

/** The text once it has not changed for a moment; null until then. */
export function usePaused(text: string, pauseMs: number): string | null {
  const [asked, ask] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => ask(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return asked === text ? text : null;
}
