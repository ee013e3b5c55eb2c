"use client";

import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import type { PaletteDisabledReasons } from "./palette-card.ts";
import { SearchBox } from "./search-box.tsx";
import { SearchContext } from "./search-context.tsx";
import { openSearch } from "./search-script.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { fetched } from "../client/fetched.tsx";

// Loaded once it is about to be opened, so that no page waits for it.
const PaletteResults = fetched(() =>
  import("./palette-results.tsx").then((loaded) => loaded.PaletteResults),
);

const ShortcutsDialog = fetched(() =>
  import("./shortcuts-dialog.tsx").then((loaded) => loaded.ShortcutsDialog),
);

/** ⌘K or Ctrl K from anywhere: find a record, act on a card, jump to any page. `?` lists the other keys. */
export function Palette({
  disabledReasons,
  children,
}: {
  disabledReasons: PaletteDisabledReasons;
  children: ReactNode;
}) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts({ palette: openSearch, help: () => setHelpOpen(true) });
  const { preload } = PaletteResults;
  return (
    <SearchContext value={useMemo(() => ({ preload }), [preload])}>
      {/* Rendered before the page, so that it takes keys while the rest of the page still loads. */}
      <SearchBox placeholder="Cards, transactions, cardholders, IDs, or a page" preload={preload}>
        {(search) => <PaletteResults {...search} disabledReasons={disabledReasons} />}
      </SearchBox>
      {/** The dialogs are rendered outside of this tree, so there is nothing beside the pages. */}
      {/* oxlint-disable-next-line floatdeck/text-alone */}
      {children}
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </SearchContext>
  );
}
