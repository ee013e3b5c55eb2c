import type { ReactNode } from "react";
import type { Elements } from "./elements.ts";

/** A section of a page with a heading of its own. */
export function Panel({
  title,
  action,
  children,
  flush = false,
}: {
  title: string;
  action?: Elements;
  children: ReactNode;
  /** Whether the content reaches the edges, as a table does. */
  flush?: boolean;
}) {
  return (
    <section
      aria-label={title}
      className="panel border-border bg-surface min-w-0 overflow-clip rounded-lg border"
    >
      <div className="border-separator has-[+:empty]:border-b-0 flex min-h-12 flex-wrap items-center justify-between gap-2 border-b px-4 py-2">
        <h2 className="font-medium">{title}</h2>
        {action}
      </div>
      <div className={flush ? "" : "p-4"}>{children}</div>
    </section>
  );
}
