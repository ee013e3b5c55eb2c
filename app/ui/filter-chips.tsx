import { X } from "lucide-react";
import { Link } from "./link.tsx";
import { toHref } from "./pager.tsx";

/** The active filters of a list; each links to the list without it. */
export function FilterChips({
  words,
  filter,
  path,
  clearHref,
}: {
  /** Each filter in words, by its member of the URL; undefined if the list is not filtered by it. */
  words: Readonly<Record<string, string | undefined>>;
  filter: Readonly<Record<string, string | undefined>>;
  path: string;
  /** The list without any filter. */
  clearHref: string;
}) {
  const chips = Object.entries(words).flatMap(([name, text]) => (text ? [{ name, text }] : []));
  if (chips.length === 0) {
    return null;
  }
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-2 px-4 pb-2">
      {chips.map(({ name, text }) => (
        <li key={name}>
          <Link
            aria-label={`Remove filter: ${text}`}
            className="bg-default text-foreground hover:bg-default-hover inline-flex h-7 items-center gap-1 rounded-full px-2.5 text-xs font-medium"
            href={toHref(path, { ...filter, [name]: undefined })}
          >
            <span>{text}</span>
            <X aria-hidden className="size-3.5" />
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link
            className="underlined-link inline-flex h-7 items-center px-1 text-xs"
            href={clearHref}
          >
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}
