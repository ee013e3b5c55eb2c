import type { ReactNode } from "react";

/** A record as the panel beside a list shows it. */
export interface InspectedRecord {
  id: string;
  /** What it is called, in words that say of what kind it is. */
  label: string;
  /** Its page; null where there is no such record. */
  href: string | null;
  content: ReactNode;
}
