"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { fetched } from "../../client/fetched.tsx";
import { SearchContext, useSearchKey } from "../../shell/search-context.tsx";
import { isShortcut } from "../../ui/is-shortcut.ts";

// Loaded once it is about to be opened, so that no page waits for it.
const DocsDialog = fetched(() => import("./docs-dialog.tsx").then((loaded) => loaded.DocsDialog));

/** `/`, ⌘K, or Ctrl K: the search of someone who is not signed in, and has only the documentation. */
export function DocsFinder({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const { preload } = DocsDialog;
  useSearchKey({ toggle: useCallback(() => setOpen((open) => !open), []), preload });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "/" && isShortcut(event)) {
        event.preventDefault();
        setOpen(true);
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <SearchContext value={useMemo(() => ({ open: () => setOpen(true), preload }), [preload])}>
      {/* The dialog stands elsewhere in the document, and nothing beside the pages. */}
      {/* oxlint-disable-next-line floatdeck/text-alone */}
      {children}
      {isOpen && <DocsDialog onClose={() => setOpen(false)} />}
    </SearchContext>
  );
}
