import { X } from "lucide-react";
import { Link } from "../ui/link.tsx";

/** The filters that are applied to a list; each links to the list without it. */
export function FilterChips({
  chips,
  clearHref,
}: {
  chips: readonly { text: string; href: string }[];
  /** The list without any of them. */
  clearHref: string;
}) {
  if (chips.length === 0) {
    return null;
  }
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-2 px-4 pb-2">
      {chips.map(({ text, href }) => (
        <li className="max-w-full min-w-0" key={text}>
          <Link
            aria-label={`Remove filter: ${text}`}
            className="bg-default text-foreground hover:bg-default-hover inline-flex h-7 max-w-full items-center gap-1 rounded-full px-2.5 text-xs font-medium"
            href={href}
          >
            <bdi className="truncate">{text}</bdi>
            <X aria-hidden className="size-3.5 shrink-0" />
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
