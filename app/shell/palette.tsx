"use client";

import { Kbd } from "@heroui/react";
import { Search } from "lucide-react";
import { createContext, use, useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import type { PaletteDisabledReasons } from "./palette-card.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { fetched } from "../client/fetched.tsx";

// Loaded when it is first opened, so that no page waits for it.
const PaletteDialog = fetched(() =>
  import("./palette-dialog.tsx").then((loaded) => loaded.PaletteDialog),
);

const ShortcutsDialog = fetched(() =>
  import("./shortcuts-dialog.tsx").then((loaded) => loaded.ShortcutsDialog),
);

const PaletteContext = createContext<{ open: () => void }>({ open: () => undefined });

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
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        setOpen((open) => !open);
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <PaletteContext value={useMemo(() => ({ open: () => setOpen(true) }), [])}>
      {/* The dialogs stand elsewhere in the document, and nothing beside the pages. */}
      {/* oxlint-disable-next-line floatdeck/text-alone */}
      {children}
      {isOpen && <PaletteDialog disabledReasons={disabledReasons} onClose={() => setOpen(false)} />}
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </PaletteContext>
  );
}

/** Opens the palette by mouse, and shows its shortcut. */
export function PaletteButton({ folded }: { folded: boolean }) {
  const { open } = use(PaletteContext);
  if (folded) {
    return (
      <Button aria-label="Search" isIconOnly onPress={open} size="sm" variant="ghost">
        <Search aria-hidden />
      </Button>
    );
  }
  return (
    <Button
      className="text-muted w-full justify-start font-normal"
      onPress={open}
      size="sm"
      variant="outline"
    >
      <Search aria-hidden />
      Search
      <Kbd aria-hidden className="ml-auto">
        <Kbd.Abbr keyValue="command" />
        <Kbd.Content>K</Kbd.Content>
      </Kbd>
    </Button>
  );
}
