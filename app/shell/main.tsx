"use client";

import type { ReactNode } from "react";
import { useIsStale } from "../client/returned-page.tsx";

const SHAPE =
  "mx-auto flex w-full max-w-[1280px] min-w-0 flex-1 flex-col gap-6 px-4 py-6 md:px-8 md:py-8";
/** Dims at once: with reduced motion, a transition takes a millisecond, which is a whole frame. */
const DIMMED = "opacity-50 transition-none";

/** The content of a page in its frame, dimmed while it is stale. */
export function Main({ children }: { children: ReactNode }) {
  const isStale = useIsStale();
  return (
    <main aria-busy={isStale} className={isStale ? `${SHAPE} ${DIMMED}` : SHAPE} id="content">
      {children}
    </main>
  );
}
