import type { ReactNode } from "react";
import type { Elements } from "./elements.ts";

/** The only content of a page for people who are not signed in. */
export function AuthCard({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: Elements;
}) {
  return (
    <section className="border-border bg-surface flex flex-col gap-5 rounded-xl border p-6">
      <div className="flex flex-col gap-1">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description && <p className="text-muted">{description}</p>}
      </div>
      {children}
    </section>
  );
}
