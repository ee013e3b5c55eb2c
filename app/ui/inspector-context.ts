"use client";

import { createContext } from "react";

/** What the rows of a list need to know about the panel beside it. */
export interface RowInspector {
  /** The record that is open, or about to be; null for none. */
  openId: string | null;
  /** Shows a record in the panel. Returns false if the screen has no room for one. */
  show: (id: string) => boolean;
  /** As `show`, but only if the panel is open already. */
  follow: (id: string) => void;
}

/** Null around a list whose rows only link to pages. */
export const InspectorContext = createContext<RowInspector | null>(null);
