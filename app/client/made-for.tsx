"use client";

import { createContext, use } from "react";
import type { ReactNode } from "react";
import { OtherPerson } from "./other-person.tsx";
import { isDocumentOf } from "#lib/api/client.ts";

const StaffContext = createContext<string | null>(null);

/**
 * Renders what the server made for this person, unless the document was made for somebody else: if the browser has
 * signed in to a different account in another tab, a navigation or a refresh brings that account's page.
 */
export function MadeFor({ staffId, children }: { staffId: string; children: ReactNode }) {
  const isInBrowser = typeof window !== "undefined";
  if (isInBrowser && !isDocumentOf(staffId)) {
    return <OtherPerson />;
  }
  return <StaffContext value={staffId}>{children}</StaffContext>;
}

/** The person that the page was made for; null on a page without one. */
export function usePageStaffId(): string | null {
  return use(StaffContext);
}
