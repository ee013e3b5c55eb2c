import Link from "next/link";

/** Where a page of the reference stands: above it is the list of all. */
export function ReferencePath({ group }: { group: string }) {
  return (
    <nav aria-label="Breadcrumb" className="text-muted">
      <Link className="hover:text-foreground" href="/docs/api" prefetch={false}>
        API reference
      </Link>
      <span aria-hidden> / </span>
      <span>{group}</span>
    </nav>
  );
}
