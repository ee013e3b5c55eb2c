import type { z } from "zod";
import type { cardFilter } from "#lib/api/contract/filters.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";

type FilterQuery = { [Name in keyof typeof cardFilter]?: z.output<(typeof cardFilter)[Name]> };

/** The filter of cards that a request names. */
export function toCardFilter<Query extends FilterQuery>(query: Query) {
  const {
    user_id: cardholderId,
    status: statuses,
    freeze_ends_before: freezeEndsBefore,
    cover_outstanding: owing,
    ...rest
  } = query;
  const hasCover = owing && true;
  return {
    ...rest,
    cardholderId,
    statuses,
    freezeEndsBefore,
    hasCover,
  } satisfies Partial<CardFilter>;
}
