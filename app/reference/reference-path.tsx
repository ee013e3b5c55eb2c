import { Link } from "../ui/link.tsx";

/** Where a page of the reference stands: above it is the list of all. */
export function ReferencePath({ group }: { group: string }) {
  return (
    <nav aria-label="Breadcrumb" className="text-muted">
      <Link className="hover:text-foreground" href="/docs/api">
        API reference
      </Link>
      <span aria-hidden> / </span>
      <span>{group}</span>
    </nav>
  );
}
