"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "../../ui/button.tsx";
import type { Theme } from "../../theme.ts";
import { PersonBadge } from "./person-badge.tsx";
import type { Person } from "./person-badge.tsx";

// The menu itself is fetched when it is asked for, or about to be.
const loadDropdown = () => import("./person-dropdown.tsx");
const PersonDropdown = lazy(async () => ({ default: (await loadDropdown()).PersonDropdown }));

/** Who one is, and the menu behind it. */
export function PersonMenu(props: { person: Person; theme: Theme; folded?: boolean }) {
  const { person, folded = false } = props;
  const [isAsked, setAsked] = useState(false);
  const button = (
    <Button
      className={folded ? "" : "h-11 w-full justify-start px-1.5"}
      isIconOnly={folded}
      onFocus={() => void loadDropdown()}
      onPointerEnter={() => void loadDropdown()}
      onPress={() => setAsked(true)}
      variant="ghost"
    >
      <PersonBadge folded={folded} person={person} />
    </Button>
  );
  return isAsked ? (
    <Suspense fallback={button}>
      <PersonDropdown {...props} />
    </Suspense>
  ) : (
    button
  );
}
