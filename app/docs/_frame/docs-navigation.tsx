"use client";

import { Link } from "../../ui/link.tsx";
import { usePathname } from "next/navigation";
import type { Elements } from "../../ui/elements.ts";

/** A page of the documentation. */
export interface NavigationItem {
  href: string;
  name: string;
}

/** Pages of the reference with the same subject. */
export interface NavigationGroup {
  name: string;
  items: readonly NavigationItem[];
}

/** The guides, then the reference by noun; the pages of the current page's noun are expanded. */
export function DocsNavigation({
  guides,
  groups,
}: {
  guides: readonly NavigationItem[];
  groups: readonly NavigationGroup[];
}) {
  const path = usePathname();
  return (
    <nav aria-label="Guides and operations" className="flex flex-col gap-6">
      <Section name="Guides">
        {guides.map(({ href, name }) => (
          <Item href={href} isHere={path === href} key={href} name={name} />
        ))}
      </Section>
      <Section name="API reference">
        <Item href="/docs/api" isHere={path === "/docs/api"} name="All operations and events" />
        {groups.map(({ name, items }) => (
          <details key={`${name} ${isWithin(items, path)}`} open={isWithin(items, path)}>
            <summary className="text-muted hover:text-foreground focus-visible:outline-focus cursor-pointer rounded-md px-2 py-1 outline-offset-2">
              {name}
            </summary>
            <div className="border-separator ms-3 flex flex-col border-s ps-2">
              {items.map((item) => (
                <Item
                  href={item.href}
                  isHere={path === item.href}
                  key={item.href}
                  name={item.name}
                />
              ))}
            </div>
          </details>
        ))}
      </Section>
    </nav>
  );
}

function isWithin(items: readonly NavigationItem[], path: string): boolean {
  return items.some(({ href }) => href === path);
}

function Section({ name, children }: { name: string; children: Elements }) {
  return (
    <div className="flex flex-col gap-0.5">
      <p className="text-muted px-2 pb-1 text-xs font-medium">{name}</p>
      {children}
    </div>
  );
}

function Item({ href, name, isHere }: { href: string; name: string; isHere: boolean }) {
  return (
    <Link
      aria-current={isHere ? "page" : undefined}
      className={`focus-visible:outline-focus rounded-md px-2 py-1 outline-offset-2 ${isHere ? "bg-default text-foreground font-medium" : "text-muted hover:bg-default hover:text-foreground"}`}
      href={href}
      ref={isHere ? reveal : undefined}
    >
      {name}
    </Link>
  );
}

/** The list is longer than most screens, so it scrolls to the current page. */
function reveal(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: "nearest" });
}
