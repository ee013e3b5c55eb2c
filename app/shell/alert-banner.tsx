"use client";

import { ChevronDown, TriangleAlert, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import type { ReactNode } from "react";
import { dismiss } from "./alert-dismissal.ts";

const BUTTON =
  "hover:bg-default focus-visible:outline-focus -my-1 flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-md";

const TONES = { serious: "text-declined", calm: "text-pending" } as const;

/** One alert above a page, dismissible if that is harmless. On a phone, it takes one line until it is expanded. */
export function AlertBanner({
  tone,
  dismissKey,
  dismissed,
  elsewhere,
  children,
}: {
  tone: keyof typeof TONES;
  dismissKey: string | null;
  /** The alerts that are already dismissed. */
  dismissed: readonly string[];
  elsewhere: readonly string[];
  children: ReactNode;
}) {
  const [isGone, setGone] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const path = usePathname();
  if (isGone || elsewhere.includes(path)) {
    return null;
  }
  return (
    <div
      className={`border-border bg-surface flex print:hidden items-start gap-2 rounded-lg border px-4 py-2.5 sm:py-3 ${TONES[tone]}`}
      role="status"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {/* A link that has the keyboard focus is never cut off. */}
      <p className={`min-w-0 flex-1 ${isWhole ? "" : "max-sm:not-focus-within:truncate"}`}>
        {children}
      </p>
      <button
        aria-expanded={isWhole}
        aria-label="Show full alert"
        className={`${BUTTON} sm:hidden`}
        onClick={() => setWhole(!isWhole)}
        type="button"
      >
        <ChevronDown aria-hidden className={`size-4 ${isWhole ? "rotate-180" : ""}`} />
      </button>
      {dismissKey !== null && (
        <button
          aria-label="Dismiss for a day"
          className={BUTTON}
          onClick={() => {
            dismiss(dismissKey, dismissed);
            setGone(true);
          }}
          type="button"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
