"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

/** The contents on narrow screens. They open without JavaScript, and close once a page is chosen. */
export function DocsMenu({ children }: { children: ReactNode }) {
  return (
    <details className="border-separator border-t lg:hidden" key={usePathname()}>
      <summary className="text-muted hover:text-foreground focus-visible:outline-focus cursor-pointer px-4 py-2 font-medium outline-offset-2">
        Contents
      </summary>
      <div className="max-h-[70dvh] overflow-y-auto px-4 pb-4">{children}</div>
    </details>
  );
}
