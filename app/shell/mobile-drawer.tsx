"use client";

import type { Theme } from "../ui/theme.ts";
import { Overlay } from "../ui/overlay.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { Navigation } from "./navigation.tsx";
import { PersonMenu } from "./person-menu.tsx";
import type { Person } from "./person-badge.tsx";

/** The menu of narrow screens. */
export function MobileDrawer({
  person,
  theme,
  needs,
  onClose,
}: {
  person: Person;
  theme: Theme;
  needs: number;
  onClose: () => void;
}) {
  return (
    <Overlay backdrop="p-0" className="drawer" label="Menu" onClose={onClose}>
      <div className="px-1 py-1">
        <Wordmark />
      </div>
      <Navigation needs={needs} onFollow={onClose} />
      <div className="mt-auto">
        <PersonMenu person={person} theme={theme} />
      </div>
    </Overlay>
  );
}
