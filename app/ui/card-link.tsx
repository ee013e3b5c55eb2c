import { Link } from "./link.tsx";

/** Links to a card by its id. */
export function CardLink({ id }: { id: string }) {
  return (
    <Link className="underlined-link" href={`/cards/${id}`}>
      View card
    </Link>
  );
}
