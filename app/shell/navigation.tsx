"use client";

import { Link } from "../ui/link.tsx";
import { usePathname } from "next/navigation";
import { PLACES } from "./places.ts";

/** The list of places, with the current one marked. */
export function Navigation({
  folded = false,
  needs,
  onFollow,
}: {
  folded?: boolean;
  /** How many things need the person, on the first page. */
  needs: number;
  onFollow?: () => void;
}) {
  const path = usePathname();
  return (
    <nav aria-label="Main" className="flex flex-col gap-4 overflow-y-auto">
      {PLACES.map(({ heading, places }) => (
        <div className="flex flex-col gap-0.5" key={heading ?? "main"}>
          {heading && !folded && (
            <p className="text-muted px-2 pb-1 text-xs font-medium">{heading}</p>
          )}
          {places.map(({ href, name, icon: Icon }) => {
            const isHere = path === href || path.startsWith(`${href}/`);
            const count = href === "/overview" ? needs : 0;
            return (
              <Link
                aria-current={isHere ? "page" : undefined}
                aria-label={folded ? toFoldedName(name, count) : undefined}
                className={`focus-visible:outline-focus flex h-8 items-center gap-2.5 rounded-md px-2 outline-offset-2 ${folded ? "justify-center" : ""} ${isHere ? "bg-default text-foreground font-medium" : "text-muted hover:bg-default hover:text-foreground"}`}
                href={href}
                key={href}
                onClick={() => onFollow?.()}
                title={name}
              >
                <Icon aria-hidden className="size-4 shrink-0" />
                {!folded && <span>{name}</span>}
                {!folded && count > 0 && <Count count={count} />}
              </Link>
            );
          })}
        </div>
      ))}
    </nav>
  );
}

/** Higher counts are not shown exactly. */
const COUNTED_MAX = 99;

function toCountText(count: number): string {
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count);
}

function toFoldedName(name: string, count: number): string {
  return count > 0 ? `${name}, ${toCountText(count)} need you` : name;
}

function Count({ count }: { count: number }) {
  return (
    <span className="bg-accent text-accent-foreground ml-auto rounded-full px-1.5 text-xs/5 font-medium tabular-nums">
      <span>{toCountText(count)}</span>
      <span className="sr-only"> need you</span>
    </span>
  );
}
