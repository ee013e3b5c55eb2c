import { Link } from "../../ui/link.tsx";
import type { ReactNode } from "react";
import type { Elements } from "../../ui/elements.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { SearchButton } from "../../shell/search-context.tsx";

/** The bar at the top: the reader's location, and a link to the dashboard. */
export function DocsHeader({ isSignedIn, menu }: { isSignedIn: boolean; menu: Elements }) {
  return (
    <header className="border-separator bg-background sticky top-(--stripe) z-20 border-b">
      <div className="mx-auto flex h-12 max-w-[1280px] items-center gap-3 px-4">
        <Link aria-label="Floatdeck documentation" href="/docs">
          <Wordmark />
        </Link>
        <nav aria-label="Documentation" className="ms-2 hidden items-center gap-4 sm:flex">
          <HeaderLink href="/docs">Guides</HeaderLink>
          <HeaderLink href="/docs/api">API reference</HeaderLink>
        </nav>
        <div className="ms-auto flex items-center gap-2">
          <SearchButton folded />
          <LinkButton href={isSignedIn ? "/overview" : "/sign-in"} size="sm" variant="outline">
            {isSignedIn ? "Dashboard" : "Sign in"}
          </LinkButton>
        </div>
      </div>
      {menu}
    </header>
  );
}

function HeaderLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className="text-muted hover:text-foreground font-medium" href={href}>
      {children}
    </Link>
  );
}
