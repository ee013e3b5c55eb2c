"use client";

import { useSyncExternalStore } from "react";
import { LinkButton } from "./link-button.tsx";

/**
 * Links to the next and the previous page. A cursor only leads forward, so the way back is the way this tab came. A
 * page that is opened by its address leads back to the first.
 */
export function PageLinks({
  first,
  here,
  next,
}: {
  /** Null on the first page. */
  first: string | null;
  here: string;
  /** Null on the last page. */
  next: string | null;
}) {
  const previous = useSyncExternalStore(
    subscribe,
    () => recallPrevious(here),
    () => null,
  );
  return (
    <>
      {first !== null && first !== previous && <PageLink href={first} name="First page" />}
      {first !== null && previous !== null && <PageLink href={previous} name="Previous page" />}
      {next !== null && (
        <span onClickCapture={() => rememberPrevious(next, here)}>
          <PageLink href={next} name="Next page" />
        </span>
      )}
    </>
  );
}

function PageLink({ href, name }: { href: string; name: string }) {
  return (
    <LinkButton href={href} size="sm" variant="secondary">
      {name}
    </LinkButton>
  );
}

const subscribe = () => () => undefined;

const toKey = (page: string) => `floatdeck.before ${page}`;

function rememberPrevious(page: string, previous: string): void {
  try {
    sessionStorage.setItem(toKey(page), previous);
  } catch {
    // If storage is off or full, the way back leads to the first page.
  }
}

function recallPrevious(page: string): string | null {
  try {
    return sessionStorage.getItem(toKey(page));
  } catch {
    return null;
  }
}
