import type { LucideIcon } from "lucide-react";

/** A search result, and its address: everything in the search can also be linked to. */
export interface FoundRecord {
  href: string;
  name: string;
  detail: string;
}

/** A result as the list shows it. */
export interface FoundItem extends Omit<FoundRecord, "detail"> {
  /** More about it, or why it cannot be chosen. */
  detail: string | null;
  icon: LucideIcon;
  isDisabled?: boolean;
}

/** Where results come from, and what it found for the text. */
export interface Source {
  heading: string;
  items: readonly FoundItem[];
  isAnswered: boolean;
  error: Error | null;
}

/**
 * The sources that are shown, in their fixed order: those before the first that has not answered. So a late answer is only
 * ever appended, and what stands first for a text is the same however long each source takes.
 */
export function toShown(sources: readonly Source[]): readonly Source[] {
  const waiting = sources.findIndex((source) => !source.isAnswered);
  const answered = waiting === -1 ? sources : sources.slice(0, waiting);
  return answered.filter(({ items }) => items.length > 0);
}

/** A source that needs no answer of the server. */
export function toLocalSource(heading: string, items: readonly FoundItem[]): Source {
  return { heading, items, isAnswered: true, error: null };
}
