import type { List } from "./list.ts";
import { Empty } from "../ui/empty.tsx";
import { LinkButton } from "../ui/link-button.tsx";

/** Replaces the rows of a list when its filters match none. */
export function NothingFound({ list: { path, allHref = path, noun, hint } }: { list: List }) {
  return (
    <Empty
      action={<LinkButton href={allHref}>{`Show all ${noun}`}</LinkButton>}
      title={`No ${noun} found`}
    >
      {`No ${noun} match these filters. ${hint}`}
    </Empty>
  );
}

/** Like `NothingFound`, when older rows have not been searched yet. */
export function NothingFoundSoFar({ list: { path, noun } }: { list: List }) {
  return (
    <Empty
      action={<LinkButton href={path}>{`Show all ${noun}`}</LinkButton>}
      title={`No ${noun} found so far`}
    >
      {`None of the ${noun} searched so far match these filters. The next page looks through older ones.`}
    </Empty>
  );
}
