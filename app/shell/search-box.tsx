"use client";

import { LoaderCircle, Search } from "lucide-react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { RefObject } from "react";
import { SEARCH_ID } from "./search-script.ts";
import type { Elements } from "../ui/elements.ts";

/** The props of the results for a text. */
export interface SearchProps {
  /** The text in the box, trimmed. */
  text: string;
  onFetching: (isFetching: boolean) => void;
}

/**
 * The page's search. The server sends it closed, and `SEARCH_SCRIPT` opens it; so the box takes keys before this
 * component runs, and text typed by then is searched for. Only the results are loaded later.
 */
export function SearchBox({
  placeholder,
  preload,
  children: toResults,
}: {
  placeholder: string;
  /** Loads the results' script. */
  preload: () => void;
  children: (props: SearchProps) => Elements;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isFetching, setFetching] = useState(false);
  const isOpen = useFromDialog(dialog, isDialogOpen, false);
  const text = useFromDialog(dialog, readText, "");
  const results: Elements = isOpen && toResults({ onFetching: setFetching, text });
  usePreloadByKey(preload);
  return (
    // Keeps what the script did before React ran: React does not control whether the dialog is open.
    <dialog
      aria-label="Search"
      className="dialog search"
      // Makes React Aria's dialogs leave the focus to elements above them.
      data-react-aria-top-layer="true"
      id={SEARCH_ID}
      ref={dialog}
      suppressHydrationWarning
    >
      <div className="bg-overlay sticky top-0 z-10 p-2">
        <div className="input input-group">
          <Search aria-hidden />
          <input
            aria-label="Search"
            autoComplete="off"
            autoCorrect="off"
            placeholder={placeholder}
            spellCheck={false}
            type="search"
          />
          {isOpen && isFetching && <LoaderCircle aria-hidden className="animate-spin" />}
        </div>
      </div>
      {results}
    </dialog>
  );
}

function useFromDialog<Value>(
  dialog: RefObject<HTMLDialogElement | null>,
  read: (dialog: HTMLDialogElement | null) => Value,
  onServer: Value,
): Value {
  const subscribe = useCallback(
    (notice: () => void) => {
      const { current } = dialog;
      current?.addEventListener("input", notice);
      current?.addEventListener("close", notice);
      return () => {
        current?.removeEventListener("input", notice);
        current?.removeEventListener("close", notice);
      };
    },
    [dialog],
  );
  return useSyncExternalStore(
    subscribe,
    () => read(dialog.current),
    () => onServer,
  );
}

function isDialogOpen(dialog: HTMLDialogElement | null): boolean {
  return dialog?.open === true;
}

function readText(dialog: HTMLDialogElement | null): string {
  return dialog?.querySelector("input")?.value.trim() ?? "";
}

const MODIFIERS: ReadonlySet<string> = new Set(["Control", "Meta"]);

/** Loads the results as soon as the first of the two keys is down. */
function usePreloadByKey(preload: () => void): void {
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => {
      if (MODIFIERS.has(key)) {
        preload();
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [preload]);
}
