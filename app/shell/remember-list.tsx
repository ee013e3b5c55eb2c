"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { isList, rememberSearch } from "../client/list-search.ts";

/** Remembers each list's last filters in this tab, so that the link back leads to the same rows. */
export function RememberList() {
  const path = usePathname();
  const search = useSearchParams().toString();
  useEffect(() => {
    if (isList(path)) {
      rememberSearch(path, search);
    }
  }, [path, search]);
  return null;
}
