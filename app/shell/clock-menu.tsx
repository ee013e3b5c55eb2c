"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { ButtonProps } from "../ui/button.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { fetched } from "../client/fetched.tsx";
import { CLOCK_BUTTON, ClockLabel } from "./clock-label.tsx";

// The menu's code is loaded when it is opened, or about to be.
const ClockDropdown = fetched(
  () => import("./clock-dropdown.tsx").then((loaded) => loaded.ClockDropdown),
  () => <ClockButton disabledReason={null} />,
);

/** The menu that advances the deadlines of a sandbox. */
export function ClockMenu({ disabledReason }: { disabledReason: string | null }) {
  const [isAsked, setAsked] = useState(false);
  return isAsked ? (
    <ClockDropdown />
  ) : (
    <ClockButton
      disabledReason={disabledReason}
      onFocus={ClockDropdown.preload}
      onPointerEnter={ClockDropdown.preload}
      onPress={() => setAsked(true)}
    />
  );
}

function ClockButton({
  disabledReason,
  ...button
}: Pick<ButtonProps, "onFocus" | "onPointerEnter" | "onPress"> & {
  disabledReason: string | null;
}) {
  return (
    <GuardedButton
      {...CLOCK_BUTTON}
      {...button}
      {...(disabledReason === null ? {} : { "aria-label": "Advance deadlines" })}
      disabledReason={disabledReason}
    >
      <ClockLabel />
      <ChevronDown aria-hidden className="size-3" />
    </GuardedButton>
  );
}
