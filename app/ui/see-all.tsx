import type { Elements } from "./elements.ts";

/** The rest of a shortened list, shown once somebody asks for it, even before any script has loaded. */
export function SeeAll({
  count,
  children,
  className = "",
}: {
  /** How many there are in all. */
  count: number;
  children: Elements;
  className?: string;
}) {
  return (
    <details className={`group ${className}`}>
      <summary className="underlined-link w-fit cursor-pointer list-none">
        <span className="group-open:hidden">{`See all (${count.toLocaleString("en-US")})`}</span>
        <span className="hidden group-open:inline">Show fewer</span>
      </summary>
      {children}
    </details>
  );
}
