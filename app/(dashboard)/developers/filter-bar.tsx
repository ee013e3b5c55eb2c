"use client";

import { Skeleton } from "@heroui/react";
import dynamic from "next/dynamic";
import { TimeZoneNote } from "../../client/time-zone.tsx";
import { useIsSettled } from "../../client/use-is-settled.ts";
import type { Filter } from "../../ui/filter-select.tsx";

const FilterFields = dynamic(
  () => import("./filter-fields.tsx").then((loaded) => loaded.FilterFields),
  { ssr: false },
);

/** Filters of a list. Nobody filters before they have seen the list, so the list comes first. */
export function FilterBar({
  choices,
  hasCard = false,
  hasRequest = false,
  hasDays = false,
}: {
  choices: readonly Filter[];
  /** Whether one can also filter by a card. */
  hasCard?: boolean;
  /** Whether one can also filter by a request. */
  hasRequest?: boolean;
  /** Whether one can also filter by the first and the last day. */
  hasDays?: boolean;
}) {
  const isSettled = useIsSettled();
  const places = choices
    .map(({ name }) => name)
    .concat(hasCard ? ["card"] : [], hasRequest ? ["request"] : [], hasDays ? ["from", "to"] : []);
  return (
    <div className="group flex w-full flex-wrap gap-2 sm:w-auto">
      {isSettled && (
        <FilterFields
          choices={choices}
          hasCard={hasCard}
          hasDays={hasDays}
          hasRequest={hasRequest}
        />
      )}
      {places.map((name) => (
        <Skeleton
          className="h-9 w-full rounded-md group-has-[[data-fields]]:hidden sm:w-48"
          key={name}
        />
      ))}
      {hasDays && (
        <span className="self-center">
          <TimeZoneNote of="Days" />
        </span>
      )}
    </div>
  );
}
