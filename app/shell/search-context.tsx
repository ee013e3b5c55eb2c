"use client";

import { Search } from "lucide-react";
import { createContext, use, useEffect } from "react";
import { Button } from "../ui/button.tsx";

/** Opens the page's search. */
export const SearchContext = createContext<{ open: () => void }>({ open: () => undefined });

/** ⌘K or Ctrl K from anywhere. */
export function useSearchKey(toggle: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        toggle();
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [toggle]);
}

/** Opens it by mouse, and shows its shortcut. */
export function SearchButton({ folded }: { folded: boolean }) {
  const { open } = use(SearchContext);
  if (folded) {
    return (
      <Button aria-label="Search" isIconOnly onPress={open} size="sm" variant="ghost">
        <Search aria-hidden />
      </Button>
    );
  }
  return (
    <Button
      className="text-muted w-full justify-start font-normal"
      onPress={open}
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
