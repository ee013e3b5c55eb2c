"use client";

import { Button, Drawer } from "@heroui/react";
import { Menu } from "lucide-react";
import { useState } from "react";
import type { Theme } from "../theme.ts";
import { Wordmark } from "../ui/wordmark.tsx";
import { Navigation } from "./navigation.tsx";
import { PaletteButton } from "./palette.tsx";
import { PersonMenu } from "./person-menu.tsx";
import type { Person } from "./person-menu.tsx";

/** The bar at the top of narrow screens; its menu slides in. */
export function MobileBar({ person, theme }: { person: Person; theme: Theme }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="border-separator bg-surface sticky top-(--stripe) z-20 flex items-center gap-2 border-b px-2 py-1.5 md:hidden">
      <Button
        aria-label="Open the menu"
        isIconOnly
        onPress={() => setOpen(true)}
        size="sm"
        variant="ghost"
      >
        <Menu aria-hidden />
      </Button>
      <span className="min-w-0 flex-1 truncate font-semibold">{person.businessName}</span>
      <PaletteButton folded />
      <Drawer.Backdrop isOpen={isOpen} onOpenChange={setOpen}>
        <Drawer.Content placement="left">
          <Drawer.Dialog aria-label="Menu" className="flex h-full w-64 flex-col gap-4 p-3">
            <div className="px-1 py-1">
              <Wordmark />
            </div>
            <Navigation onFollow={() => setOpen(false)} />
            <div className="mt-auto">
              <PersonMenu person={person} theme={theme} />
            </div>
          </Drawer.Dialog>
        </Drawer.Content>
      </Drawer.Backdrop>
    </header>
  );
}
