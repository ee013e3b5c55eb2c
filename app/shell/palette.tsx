"use client";

import { useCallback, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { SearchContext, useSearchKey } from "./search-context.tsx";
import type { PaletteDisabledReasons } from "./palette-card.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { fetched } from "../client/fetched.tsx";

// Loaded once it is about to be opened, so that no page waits for it.
const PaletteDialog = fetched(() =>
  import("./palette-dialog.tsx").then((loaded) => loaded.PaletteDialog),
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
  const [isOpen, setOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts({ palette: () => setOpen(true), help: () => setHelpOpen(true) });
  const { preload } = PaletteDialog;
  useSearchKey({ toggle: useCallback(() => setOpen((open) => !open), []), preload });
  return (
    <SearchContext value={useMemo(() => ({ open: () => setOpen(true), preload }), [preload])}>
      {/* The dialogs stand elsewhere in the document, and nothing beside the pages. */}
      {/* oxlint-disable-next-line floatdeck/text-alone */}
      {children}
      {isOpen && <PaletteDialog disabledReasons={disabledReasons} onClose={() => setOpen(false)} />}
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </SearchContext>
  );
}
