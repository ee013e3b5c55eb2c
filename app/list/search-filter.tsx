"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { startTransition, useEffect, useRef, useState } from "react";
import { onNavigation } from "../ui/navigation.ts";
import { toHref } from "../ui/pager.tsx";
import { SearchField } from "../ui/search-field.tsx";

const TYPING_MS = 250;

/** A list's text filter, kept in the URL once typing pauses; a change returns to the first page. */
export function SearchFilter({
  name,
  label,
  placeholder,
  className,
}: {
  /** The search parameter. */
  name: string;
  label: string;
  placeholder: string;
  className: string;
}) {
  const path = usePathname();
  const router = useRouter();
  const search = useSearchParams();
  const [typed, setTyped] = useTyped();
  const follow = (text: string) => {
    // Read only now, because other filters may have changed while the person typed.
    const current = Object.fromEntries(new URLSearchParams(location.search));
    const href = toHref(path, { ...current, [name]: text, cursor: undefined });
    startTransition(() => router.replace(href, { scroll: false }));
  };
  return (
    <SearchField
      className={className}
      label={label}
      onChange={(text) => setTyped(text, () => follow(text))}
      placeholder={placeholder}
      value={typed ?? search.get(name) ?? ""}
    />
  );
}

/**
 * The text as typed, which the URL follows; null until something is typed, and again after a navigation.
 * @returns the text, and a function that sets it and calls `follow` when typing pauses.
 */
function useTyped(): [string | null, (text: string, follow: () => void) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // If a link is followed before the pause, a late update of the URL would lead back.
  useEffect(() => {
    const drop = () => {
      clearTimeout(pause.current);
      setTyped(null);
    };
    const stop = onNavigation(drop);
    window.addEventListener("popstate", drop);
    return () => {
      clearTimeout(pause.current);
      stop();
      window.removeEventListener("popstate", drop);
    };
  }, []);
  return [
    typed,
    (text, follow) => {
      setTyped(text);
      clearTimeout(pause.current);
      pause.current = setTimeout(follow, TYPING_MS);
    },
  ];
}
