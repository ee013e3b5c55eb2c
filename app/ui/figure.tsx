import type { ReactNode } from "react";

/** A large figure above its term, in a row of them. */
export function Figure({
  term,
  children,
  isMain = false,
}: {
  term: string;
  children: ReactNode;
  isMain?: boolean;
}) {
  return (
    <div className="flex flex-col-reverse justify-end gap-0.5">
      <dt className="text-muted text-xs">{term}</dt>
      <dd
        className={`figure text-xl tabular-nums md:text-2xl ${isMain ? "font-semibold" : "font-normal"}`}
      >
        {children}
      </dd>
    </div>
  );
}
