import type { List } from "./list.ts";
import { Empty } from "../ui/empty.tsx";
import { LinkButton } from "../ui/link-button.tsx";

/** In place of the rows where the filters of a list match none. */
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
