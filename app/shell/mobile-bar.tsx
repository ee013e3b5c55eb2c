"use client";

import { Menu } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { fetched } from "../client/fetched.tsx";
import type { Theme } from "../ui/theme.ts";
import { SearchButton } from "./search-context.tsx";
import type { Person } from "./person-badge.tsx";

const MobileDrawer = fetched(() =>
  import("./mobile-drawer.tsx").then((loaded) => loaded.MobileDrawer),
);

/** The bar at the top of narrow screens; its menu slides in. */
export function MobileBar({
  person,
  theme,
  needs,
}: {
  person: Person;
  theme: Theme;
  /** How many things need the person. */
  needs: number;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="border-separator bg-surface sticky top-(--stripe) z-20 flex items-center gap-2 border-b px-2 py-1.5 md:hidden">
      <Button
        aria-label="Open menu"
        isIconOnly
        onPress={() => setOpen(true)}
        size="sm"
        variant="ghost"
      >
        <Menu aria-hidden />
      </Button>
      <span className="min-w-0 flex-1 truncate font-semibold">{person.businessName}</span>
      <SearchButton folded />
      {isOpen && (
        <MobileDrawer needs={needs} onClose={() => setOpen(false)} person={person} theme={theme} />
      )}
    </header>
  );
}
