import type { ReactNode } from "react";

/** Terms with their values, one below the other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-separator divide-y">{children}</dl>;
}

export function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2 first:pt-0 last:pb-0">
      <dt className="text-muted shrink-0">{term}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}
