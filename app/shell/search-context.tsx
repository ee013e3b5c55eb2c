"use client";

import { Search } from "lucide-react";
import { createContext, use, useEffect } from "react";
import { Button } from "../ui/button.tsx";

/** Opens the page's search, or loads its script before. */
export const SearchContext = createContext<{ open: () => void; preload: () => void }>({
  open: () => undefined,
  preload: () => undefined,
});

const MODIFIERS: ReadonlySet<string> = new Set(["Control", "Meta"]);

/** ⌘K or Ctrl K from anywhere. The search is loaded as soon as the first of the two keys is down. */
export function useSearchKey({
  toggle,
  preload,
}: {
  toggle: () => void;
  preload: () => void;
}): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (MODIFIERS.has(event.key)) {
        preload();
      }
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        toggle();
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [toggle, preload]);
}

/** Opens it by mouse, and shows its shortcut. */
export function SearchButton({ folded }: { folded: boolean }) {
  const { open, preload } = use(SearchContext);
  const opening = { onFocus: preload, onPointerEnter: preload, onPress: open };
  if (folded) {
    return (
      <Button {...opening} aria-label="Search" isIconOnly size="sm" variant="ghost">
        <Search aria-hidden />
      </Button>
    );
  }
  return (
    <Button
      {...opening}
      className="text-muted w-full justify-start font-normal"
      size="sm"
      variant="outline"
    >
      <Search aria-hidden />
      Search
      <kbd aria-hidden className="kbd ml-auto">
        ⌘K
      </kbd>
    </Button>
  );
}
