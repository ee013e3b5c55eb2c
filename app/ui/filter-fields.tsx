"use client";

import { DayFilter } from "./day-filter.tsx";
import { FilterSelect } from "./filter-select.tsx";
import type { Filter } from "./filter-select.tsx";
import { SearchFilter } from "./search-filter.tsx";

/** The filters themselves, which replace the reserved space. */
export function FilterFields({
  choices,
  hasCard,
  hasRequest,
  hasDays,
}: {
  choices: readonly Filter[];
  hasCard: boolean;
  hasRequest: boolean;
  hasDays: boolean;
}) {
  return (
    <div className="contents" data-fields>
      {choices.map((choice) => (
        <FilterSelect {...choice} key={choice.name} />
      ))}
      {hasCard && (
        <SearchFilter
          className="w-full sm:w-48"
          label="Card ID"
          name="card_id"
          placeholder="Card ID"
        />
      )}
      {hasRequest && (
        <SearchFilter
          className="w-full sm:w-48"
          label="Request ID"
          name="request_id"
          placeholder="Request ID"
        />
      )}
      {hasDays && (
        <>
          <DayFilter label="From" name="from" />
          <DayFilter label="To" name="to" />
        </>
      )}
    </div>
  );
}
