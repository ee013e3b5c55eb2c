"use client";

import { Link } from "../ui/link.tsx";
import { useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { toListHref } from "./list-search.ts";
import type { List } from "./list-search.ts";

const NEVER_CHANGES = () => () => undefined;

/** The way back from a record to its list, with the list's last filters. */
export function Breadcrumb({
  list,
  name,
  record,
  children,
}: {
  list: List;
  name: string;
  /** The record, above a page that belongs to it. */
  record?: { href: string; name: string };
  /** The current page: the record, or a page below it. */
  children: ReactNode;
}) {
  const href = useSyncExternalStore(
    NEVER_CHANGES,
    () => toListHref(list),
    () => list,
  );
  return (
    <nav aria-label="Breadcrumb" className="text-muted -mb-3 print:hidden">
      <Link className="hover:text-foreground" href={href}>
        {name}
      </Link>
      <span aria-hidden> / </span>
      {record && (
        <>
          <Link className="hover:text-foreground" href={record.href}>
            {record.name}
          </Link>
          <span aria-hidden> / </span>
        </>
      )}
      <span aria-current="page">{children}</span>
    </nav>
  );
}
