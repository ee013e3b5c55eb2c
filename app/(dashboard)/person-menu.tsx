"use client";

import { Button } from "@heroui/react";
import { CircleUser } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Theme } from "../theme.ts";
import type { Role } from "#lib/access/roles.ts";

// The menu itself is fetched when it is asked for, or about to be.
const loadDropdown = () => import("./person-dropdown.tsx");
const PersonDropdown = lazy(async () => ({ default: (await loadDropdown()).PersonDropdown }));

/** Who is signed in, as far as the pages' frame shows it. */
export interface Person {
  name: string;
  email: string;
  role: Role;
  businessName: string;
}

/** Who one is, and the menu behind it. */
export function PersonMenu(props: { person: Person; theme: Theme; folded?: boolean }) {
  const { person, folded = false } = props;
  const [isAsked, setAsked] = useState(false);
  const button = (
    <Button
      className={folded ? "" : "h-11 w-full justify-start px-1.5"}
      isIconOnly={folded}
      onFocus={() => void loadDropdown()}
      onHoverStart={() => void loadDropdown()}
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

/** The person on the menu's button. */
export function PersonBadge({ person, folded }: { person: Person; folded: boolean }) {
  return (
    <>
      <CircleUser aria-hidden className="text-muted" />
      {folded ? (
        <span className="sr-only">
          {person.name}, {person.role}: menu
        </span>
      ) : (
        <span className="flex min-w-0 flex-col items-start leading-tight">
          <span className="max-w-36 truncate">
            {person.name}
            <span className="sr-only">, </span>
          </span>
          <span className="text-muted text-xs">
            {person.role}
            <span className="sr-only">: menu</span>
          </span>
        </span>
      )}
    </>
  );
}
