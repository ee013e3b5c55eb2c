"use client";

import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import type { Elements } from "./elements.ts";

/** One line that expands to its details. */
export function Disclosed({
  summary,
  children,
  isOpen: isOpenAtFirst = false,
}: {
  summary: Elements;
  children: ReactNode;
  isOpen?: boolean;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <h3>
        <button
          aria-controls={id}
          aria-expanded={isOpen}
          className="flex w-full cursor-pointer items-center gap-3 px-4 py-2.5 text-left -outline-offset-2"
          onClick={() => setOpen(!isOpen)}
          type="button"
        >
          {summary}
          <ChevronDown
            aria-hidden
            className={`text-muted ml-auto size-4 shrink-0 transition-transform ${isOpen ? "rotate-180" : ""}`}
          />
        </button>
      </h3>
      <div hidden={!isOpen} id={id}>
        <div className="flex flex-col gap-4 px-4 pt-1 pb-4">{children}</div>
      </div>
    </>
  );
}
