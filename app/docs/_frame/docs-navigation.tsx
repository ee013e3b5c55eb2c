"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { OperationGroup } from "../_reference/reference.ts";
import { toOperationHref } from "../_reference/operation-href.ts";

/** The guides, then the operations by noun; those of the present page's noun are open. */
export function DocsNavigation({
  guides,
  groups,
}: {
  guides: readonly { href: string; name: string }[];
  groups: readonly OperationGroup[];
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
        <Item href="/docs/api" isHere={path === "/docs/api"} name="All operations" />
        {groups.map(({ name, operations }) => (
          <details key={`${name} ${isWithin(operations, path)}`} open={isWithin(operations, path)}>
            <summary className="text-muted hover:text-foreground focus-visible:outline-focus cursor-pointer rounded-md px-2 py-1 outline-offset-2">
              {name}
            </summary>
            <div className="border-separator ms-3 flex flex-col border-s ps-2">
              {operations.map((operation) => {
                const href = toOperationHref(operation.id);
                return (
                  <Item
                    href={href}
                    isHere={path === href}
                    key={operation.id}
                    name={operation.name}
                  />
                );
              })}
            </div>
          </details>
        ))}
      </Section>
    </nav>
  );
}

function isWithin(operations: OperationGroup["operations"], path: string): boolean {
  return operations.some(({ id }) => toOperationHref(id) === path);
}

function Section({ name, children }: { name: string; children: React.ReactNode }) {
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
      prefetch={false}
    >
      {name}
    </Link>
  );
}
