"use client";

import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { GuardedButton } from "../../ui/guarded-button.tsx";

// The menu itself is fetched when it is asked for, or about to be.
const loadDropdown = () => import("./clock-dropdown.tsx");
const ClockDropdown = lazy(async () => ({ default: (await loadDropdown()).ClockDropdown }));

/** How the menu's button looks in the stripe, which is no higher than a line. */
export const CLOCK_BUTTON = {
  className: "text-pending h-5 min-h-5 shrink-0 gap-1 rounded px-1.5 text-xs font-medium",
  size: "sm",
  variant: "ghost",
} as const;

/** Short where the stripe is narrow. */
export function ClockLabel() {
  return (
    <span>
      Advance<span className="max-sm:sr-only"> deadlines</span>
    </span>
  );
}

/** The menu that advances the deadlines of a sandbox. */
export function ClockMenu({ disabledReason }: { disabledReason: string | null }) {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <GuardedButton
      {...CLOCK_BUTTON}
      {...(disabledReason === null ? {} : { "aria-label": "Advance deadlines" })}
      disabledReason={disabledReason}
      onFocus={() => void loadDropdown()}
      onPointerEnter={() => void loadDropdown()}
      onPress={() => setAsked(true)}
    >
      <ClockLabel />
      <ChevronDown aria-hidden className="size-3" />
    </GuardedButton>
  );
  return isAsked ? (
    <Suspense fallback={button}>
      <ClockDropdown />
    </Suspense>
  ) : (
    button
  );
}
