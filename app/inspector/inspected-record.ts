import type { ReactNode } from "react";

/** A record as the panel beside a list shows it. */
export interface InspectedRecord {
  id: string;
  /** Its name, in words that include its kind. */
  label: string;
  /** Its page; null if there is no such record. */
  href: string | null;
  content: ReactNode;
}
