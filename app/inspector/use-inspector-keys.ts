"use client";

import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { isShortcut } from "../ui/is-shortcut.ts";

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * While the panel is open, Escape closes it, and arrow keys move to the neighbors unless something outside the panel
 * has the focus.
 */
export function useInspectorKeys(
  frame: RefObject<HTMLElement | null>,
  isOpen: boolean,
  on: { onStep: (by: 1 | -1) => void; onClose: () => void },
): void {
  const latest = useRef(on);
  useEffect(() => {
    latest.current = on;
  });
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event)) {
        return;
      }
      const by = STEPS[event.key];
      if (event.key === "Escape") {
        event.preventDefault();
        latest.current.onClose();
      } else if (by !== undefined && isOurs(event.target, frame)) {
        event.preventDefault();
        latest.current.onStep(by);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [frame, isOpen]);
}

/** Whether the panel handles the keys; the rows of the list handle arrow keys themselves. */
function isOurs(target: EventTarget | null, frame: RefObject<HTMLElement | null>): boolean {
  const panel = frame.current?.querySelector("[data-inspected]");
  return target === document.body || (target instanceof Node && panel?.contains(target) === true);
}
