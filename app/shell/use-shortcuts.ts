"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { doMainAction, focusSearch, GO_TO } from "./shortcuts.ts";
import { isShortcut } from "../ui/is-shortcut.ts";
import { toPressedLetter } from "../ui/pressed-letter.ts";
import { mayLeave } from "../client/unsaved-changes.ts";

/** How long after `g` a letter still counts. */
const SEQUENCE_MS = 1_500;

/** Listens for the shortcuts of every page. */
export function useShortcuts(open: { palette: () => void; help: () => void }): void {
  const router = useRouter();
  const opening = useRef(open);
  useEffect(() => {
    opening.current = open;
  });
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event)) {
        return;
      }
      const key = toPressedLetter(event);
      const isSequence = event.timeStamp - goAt < SEQUENCE_MS;
      goAt = Number.NEGATIVE_INFINITY;
      const href = isSequence && Object.hasOwn(GO_TO, key) ? GO_TO[key] : undefined;
      if (href !== undefined) {
        event.preventDefault();
        if (mayLeave()) {
          router.push(href);
        }
      } else if (key === "g") {
        goAt = event.timeStamp;
      } else if (act(key, opening.current)) {
        event.preventDefault();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [router]);
}

/** Returns whether the key is a shortcut of its own. */
function act(key: string, open: { palette: () => void; help: () => void }): boolean {
  switch (key) {
    case "/":
      if (!focusSearch()) {
        open.palette();
      }
      return true;
    case "?":
      open.help();
      return true;
    case "a":
      doMainAction();
      return true;
    default:
      return false;
  }
}
