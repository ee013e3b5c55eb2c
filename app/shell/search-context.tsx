"use client";

import { Search } from "lucide-react";
import { createContext, use } from "react";
import { openSearch } from "./search-script.ts";
import { Button } from "../ui/button.tsx";

/** Loads the results' script of the page's search, before the search is opened. */
export const SearchContext = createContext<{ preload: () => void }>({ preload: () => undefined });

/** Opens the search by mouse, and shows its shortcut. */
export function SearchButton({ folded }: { folded: boolean }) {
  const { preload } = use(SearchContext);
  const opening = { onFocus: preload, onPointerEnter: preload, onPress: openSearch };
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
