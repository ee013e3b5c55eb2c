"use client";

import { Skeleton } from "@heroui/react";
import { ListFilter } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useId, useState } from "react";
import { TimeZoneNote } from "./time-zone.tsx";
import { useIsSettled } from "./use-is-settled.ts";
import { Button } from "./button.tsx";
import type { Filter } from "./filter-select.tsx";

const FilterFields = dynamic(
  () => import("./filter-fields.tsx").then((loaded) => loaded.FilterFields),
  { ssr: false },
);

interface Shown {
  choices: readonly Filter[];
  /** Whether there is a filter by card. */
  hasCard?: boolean;
  /** Whether there is a filter by request. */
  hasRequest?: boolean;
  /** Whether there are filters by the first and the last day. */
  hasDays?: boolean;
}

/**
 * The filters of a list. People see the list before they filter it, so the list loads first; on a phone, where the
 * filters would fill the screen, a button opens them.
 */
export function FilterBar(shown: Shown) {
  const [isOpen, setOpen] = useState(false);
  const fieldsId = useId();
  const search = useSearchParams();
  const applied = namesOf(shown).filter((name) => search.has(name)).length;
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
        <span>{applied === 0 ? "Filters" : `Filters (${applied})`}</span>
      </Button>
      <div
        className={`group flex w-full flex-wrap gap-2 sm:w-auto ${isOpen ? "max-sm:py-2" : "max-sm:hidden"}`}
        id={fieldsId}
      >
        <Fields {...shown} />
      </div>
    </>
  );
}

/** The fields, whose space is reserved until their code is loaded. */
function Fields(shown: Shown) {
  const { choices, hasCard = false, hasRequest = false, hasDays = false } = shown;
  const isSettled = useIsSettled();
  return (
    <>
      {isSettled && (
        <FilterFields
          choices={choices}
          hasCard={hasCard}
          hasDays={hasDays}
          hasRequest={hasRequest}
        />
      )}
      {namesOf(shown).map((name) => (
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
    </>
  );
}

/** The search parameters that the filters set. */
function namesOf({ choices, hasCard, hasRequest, hasDays }: Shown): string[] {
  return [
    ...choices.map(({ name }) => name),
    ...(hasCard ? ["card_id"] : []),
    ...(hasRequest ? ["request_id"] : []),
    ...(hasDays ? ["from", "to"] : []),
  ];
}
