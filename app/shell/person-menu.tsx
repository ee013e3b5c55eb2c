"use client";

import { useState } from "react";
import { Button } from "../ui/button.tsx";
import type { ButtonProps } from "../ui/button.tsx";
import { fetched } from "../client/fetched.tsx";
import type { Theme } from "../ui/theme.ts";
import { PersonBadge } from "./person-badge.tsx";
import type { Person } from "./person-badge.tsx";

interface Props {
  person: Person;
  theme: Theme;
  folded?: boolean;
}

// The menu's code is loaded when it is opened, or about to be.
const PersonDropdown = fetched(
  () => import("./person-dropdown.tsx").then((loaded) => loaded.PersonDropdown),
  ({ person, folded }: Props) => <PersonButton folded={folded} person={person} />,
);

/** The signed-in person, with their menu. */
export function PersonMenu(props: Props) {
  const { person, folded } = props;
  const [isAsked, setAsked] = useState(false);
  return isAsked ? (
    <PersonDropdown {...props} />
  ) : (
    <PersonButton
      folded={folded}
      onFocus={PersonDropdown.preload}
      onPointerEnter={PersonDropdown.preload}
      onPress={() => setAsked(true)}
      person={person}
    />
  );
}

function PersonButton({
  person,
  folded = false,
  ...button
}: Pick<ButtonProps, "onFocus" | "onPointerEnter" | "onPress"> & {
  person: Person;
  folded: boolean | undefined;
}) {
  return (
    <Button
      {...button}
      className={folded ? "" : "h-11 w-full justify-start px-1.5"}
      isIconOnly={folded}
      variant="ghost"
    >
      <PersonBadge folded={folded} person={person} />
    </Button>
  );
}
