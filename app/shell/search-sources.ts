import type { LucideIcon } from "lucide-react";

/** A search result and its address: everything that the search finds has a page. */
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

/** A source of results, and what it found for the text. */
export interface Source {
  heading: string;
  items: readonly FoundItem[];
  isAnswered: boolean;
  error: Error | null;
}

/**
 * The sources to show, in their fixed order: only those before the first that has not answered. So a late answer is
 * always appended, and the first results for a text are the same however long each source takes.
 */
export function toShown(sources: readonly Source[]): readonly Source[] {
  const waiting = sources.findIndex((source) => !source.isAnswered);
  const answered = waiting === -1 ? sources : sources.slice(0, waiting);
  return answered.filter(({ items }) => items.length > 0);
}

/** A source that does not need the server. */
export function toLocalSource(heading: string, items: readonly FoundItem[]): Source {
  return { heading, items, isAnswered: true, error: null };
}
