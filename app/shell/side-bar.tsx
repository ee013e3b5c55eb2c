"use client";

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import type { Theme } from "../ui/theme.ts";
import { Navigation } from "./navigation.tsx";
import { SearchButton } from "./search-context.tsx";
import { PersonMenu } from "./person-menu.tsx";
import type { Person } from "./person-badge.tsx";
import { rememberFold } from "./side-bar-fold.ts";

/** The navigation at the left of wide screens; folds to icons. */
export function SideBar({
  person,
  theme,
  needs,
  initiallyFolded,
}: {
  person: Person;
  theme: Theme;
  /** How many things need the person. */
  needs: number;
  initiallyFolded: boolean;
}) {
  const [folded, setFolded] = useState(initiallyFolded);
  const toggle = () => {
    setFolded(!folded);
    rememberFold(!folded);
  };
  return (
    <aside
      className={`border-separator bg-surface sticky top-(--stripe) hidden h-[calc(100dvh-var(--stripe))] shrink-0 flex-col gap-4 border-r p-3 md:flex ${folded ? "w-16" : "w-60"}`}
    >
      <div className="flex items-center justify-between gap-2 px-1">
        {!folded && (
          <span className="truncate font-semibold" title={person.businessName}>
            {person.businessName}
          </span>
        )}
        <Button
          aria-label={folded ? "Expand sidebar" : "Collapse sidebar"}
          isIconOnly
          onPress={toggle}
          size="sm"
          variant="ghost"
        >
          {folded ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
        </Button>
      </div>
      <SearchButton folded={folded} />
      <Navigation folded={folded} needs={needs} />
      <div className="mt-auto">
        <PersonMenu folded={folded} person={person} theme={theme} />
      </div>
    </aside>
  );
}
