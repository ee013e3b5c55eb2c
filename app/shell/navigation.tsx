"use client";

import { Link } from "../ui/link.tsx";
import { usePathname } from "next/navigation";
import { PLACES } from "./places.ts";

/** The list of places, with the current one marked. */
export function Navigation({
  folded = false,
  onFollow,
}: {
  folded?: boolean;
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
            return (
              <Link
                aria-current={isHere ? "page" : undefined}
                aria-label={folded ? name : undefined}
                className={`focus-visible:outline-focus flex h-8 items-center gap-2.5 rounded-md px-2 outline-offset-2 ${folded ? "justify-center" : ""} ${isHere ? "bg-default text-foreground font-medium" : "text-muted hover:bg-default hover:text-foreground"}`}
                href={href}
                key={href}
                onClick={() => onFollow?.()}
                title={name}
              >
                <Icon aria-hidden className="size-4 shrink-0" />
                {!folded && <span>{name}</span>}
              </Link>
            );
          })}
        </div>
      ))}
    </nav>
  );
}
