"use client";

import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { returnFocus } from "../ui/return-focus.ts";

/**
 * Moves the focus to the record's row when the focused element of the panel disappears with the record or the panel.
 */
export function useRowFocus(
  frame: RefObject<HTMLElement | null>,
  { openId, shownId }: { openId: string | null; shownId: string | null },
): void {
  const before = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (openId !== null && shownId !== openId) {
      return;
    }
    // A page that has just loaded does not move the focus.
    if (before.current !== undefined) {
      returnFocus(findLink(frame, openId ?? before.current));
    }
    before.current = openId;
  }, [frame, openId, shownId]);
}

/** The link of the record's row; null if the list does not contain it. */
export function findLink(
  frame: RefObject<HTMLElement | null>,
  id: string | null | undefined,
): HTMLElement | null {
  const row = id && frame.current?.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
  return row ? row.querySelector<HTMLElement>("a.row-link") : null;
}
