import { Link } from "./link.tsx";

/** Links to a request in the API log, by the id of its row or by the request's own id. */
export function RequestLink({ id, children = "View request" }: { id: string; children?: string }) {
  return (
    <Link className="underlined-link" href={`/developers/api-log/${id}`}>
      {children}
    </Link>
  );
}
