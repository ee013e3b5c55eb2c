import { CircleUser } from "lucide-react";
import type { Role } from "#lib/access/roles.ts";

/** The parts of the signed-in person that the frame shows. */
export interface Person {
  name: string;
  email: string;
  role: Role;
  businessName: string;
}

/** The person on the menu's button. */
export function PersonBadge({ person, folded }: { person: Person; folded: boolean }) {
  return (
    <>
      <CircleUser aria-hidden className="text-muted" />
      {folded ? (
        <span className="sr-only">{`${person.name}, ${person.role}: menu`}</span>
      ) : (
        <span className="flex min-w-0 flex-col items-start leading-tight">
          <span className="max-w-36 truncate">
            <span>{person.name}</span>
            <span className="sr-only">, </span>
          </span>
          <span className="text-muted text-xs">
            <span>{person.role}</span>
            <span className="sr-only">: menu</span>
          </span>
        </span>
      )}
    </>
  );
}
