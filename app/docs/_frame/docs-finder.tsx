"use client";

import { useEffect, useMemo } from "react";
import type { ReactNode } from "react";
import { fetched } from "../../client/fetched.tsx";
import { SearchBox } from "../../shell/search-box.tsx";
import { SearchContext } from "../../shell/search-context.tsx";
import { openSearch } from "../../shell/search-script.ts";
import { isShortcut } from "../../ui/is-shortcut.ts";

// Loaded once it is about to be opened, so that no page waits for it.
const DocsResults = fetched(() =>
  import("./docs-results.tsx").then((loaded) => loaded.DocsResults),
);

/** Opens the search by `/`, ⌘K, or Ctrl K for someone who is not signed in. It covers only the documentation. */
export function DocsFinder({ children }: { children: ReactNode }) {
  const { preload } = DocsResults;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "/" && isShortcut(event)) {
        event.preventDefault();
        openSearch();
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <SearchContext value={useMemo(() => ({ preload }), [preload])}>
      <SearchBox placeholder="Search the documentation" preload={preload}>
        {(search) => <DocsResults {...search} />}
      </SearchBox>
      {/** The dialog is rendered outside of this tree, so there is nothing beside the pages. */}
      {/* oxlint-disable-next-line floatdeck/text-alone */}
      {children}
    </SearchContext>
  );
}
