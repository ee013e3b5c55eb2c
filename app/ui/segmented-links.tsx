import { Link } from "./link.tsx";

/** The values of one filter side by side, each linked to the list with it. */
export function SegmentedLinks({
  label,
  links,
}: {
  label: string;
  links: readonly { name: string; href: string; isCurrent: boolean }[];
}) {
  return (
    <nav
      aria-label={label}
      className="border-border flex h-9 max-w-full items-center overflow-x-auto rounded-lg border p-0.5"
    >
      {links.map(({ name, href, isCurrent }) => (
        <Link
          aria-current={isCurrent ? "true" : undefined}
          className={`flex h-full items-center rounded-md px-2.5 text-xs font-medium whitespace-nowrap ${isCurrent ? "bg-default text-foreground [scroll-initial-target:nearest]" : "text-muted hover:text-foreground"}`}
          href={href}
          key={name}
          scroll={false}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
