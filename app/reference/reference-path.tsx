import { Link } from "../ui/link.tsx";

/** The position of a reference page below the list of all pages. */
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
