"use client";

import { Drawer } from "@heroui/react";
import type { Theme } from "../ui/theme.ts";
import { Wordmark } from "../ui/wordmark.tsx";
import { Navigation } from "./navigation.tsx";
import { PersonMenu } from "./person-menu.tsx";
import type { Person } from "./person-badge.tsx";

/** The menu of narrow screens. */
export function MobileDrawer({
  person,
  theme,
  onClose,
}: {
  person: Person;
  theme: Theme;
  onClose: () => void;
}) {
  return (
    <Drawer.Backdrop isOpen onOpenChange={(open) => !open && onClose()}>
      <Drawer.Content placement="left">
        <Drawer.Dialog aria-label="Menu" className="flex h-full w-64 flex-col gap-4 p-3">
          <div className="px-1 py-1">
            <Wordmark />
          </div>
          <Navigation onFollow={onClose} />
          <div className="mt-auto">
            <PersonMenu person={person} theme={theme} />
          </div>
        </Drawer.Dialog>
      </Drawer.Content>
    </Drawer.Backdrop>
  );
}
