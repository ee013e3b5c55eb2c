"use client";

import { CardFilter } from "./card-filter.tsx";
import { FilterSelect } from "../../ui/filter-select.tsx";
import type { Filter } from "../../ui/filter-select.tsx";

/** The filters themselves; where they are, nothing holds their place any more. */
export function FilterFields({
  choices,
  hasCard,
}: {
  choices: readonly Filter[];
  hasCard: boolean;
}) {
  return (
    <div className="contents" data-fields>
      {choices.map((choice) => (
        <FilterSelect {...choice} key={choice.name} />
      ))}
      {hasCard && <CardFilter />}
    </div>
  );
}
