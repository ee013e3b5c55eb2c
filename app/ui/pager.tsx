import { LinkButton } from "./link-button.tsx";

/** The way through a long list: on, and back to its beginning. */
export function Pager({
  firstHref,
  nextHref,
}: {
  /** Null on the first page. */
  firstHref: string | null;
  /** Null on the last page. */
  nextHref: string | null;
}) {
  if (firstHref === null && nextHref === null) {
    return null;
  }
  return (
    <nav aria-label="Pages" className="border-separator flex justify-end gap-2 border-t px-4 py-2">
      {firstHref !== null && (
        <LinkButton href={firstHref} size="sm" variant="tertiary">
          First page
        </LinkButton>
      )}
      {nextHref !== null && (
        <LinkButton href={nextHref} size="sm" variant="tertiary">
          Next page
        </LinkButton>
      )}
    </nav>
  );
}

/** An address with these search parameters; those that are absent or empty are left out. */
export function toHref(path: string, search: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(search).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
