import { Link } from "./link.tsx";

/** Links to a request in the API log, by its row's id or by its own. */
export function RequestLink({ id, children = "View request" }: { id: string; children?: string }) {
  return (
    <Link className="underlined-link" href={`/developers/api-log/${id}`}>
      {children}
    </Link>
  );
}
