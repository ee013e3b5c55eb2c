"use client";

import { Skeleton } from "@heroui/react";
import { ListFilter } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useId, useState } from "react";
import { TimeZoneNote } from "../../client/time-zone.tsx";
import { useIsSettled } from "../../client/use-is-settled.ts";
import { Button } from "../../ui/button.tsx";
import type { Filter } from "../../ui/filter-select.tsx";

const FilterFields = dynamic(
  () => import("./filter-fields.tsx").then((loaded) => loaded.FilterFields),
  { ssr: false },
);

/**
 * Filters of a list. Nobody filters before they have seen the list, so the list comes first; on a phone, where the
 * filters would fill the screen, a button opens them.
 */
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
  const [isOpen, setOpen] = useState(false);
  const fieldsId = useId();
  const search = useSearchParams();
  const names = choices
    .map(({ name }) => name)
    .concat(
      hasCard ? ["card_id"] : [],
      hasRequest ? ["request_id"] : [],
      hasDays ? ["from", "to"] : [],
    );
  const applied = names.filter((name) => search.has(name)).length;
  return (
    <>
      <Button
        aria-controls={fieldsId}
        aria-expanded={isOpen}
        className="sm:hidden"
        onPress={() => setOpen(!isOpen)}
        size="sm"
        variant="outline"
      >
        <ListFilter aria-hidden />
        {applied === 0 ? "Filters" : `Filters (${applied})`}
      </Button>
      <div
        className={`group flex w-full flex-wrap gap-2 sm:w-auto ${isOpen ? "max-sm:py-2" : "max-sm:hidden"}`}
        id={fieldsId}
      >
        {isSettled && (
          <FilterFields
            choices={choices}
            hasCard={hasCard}
            hasDays={hasDays}
            hasRequest={hasRequest}
          />
        )}
        {names.map((name) => (
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
    </>
  );
}
