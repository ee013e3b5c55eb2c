import type { ReadContext } from "#lib/base/context.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import type { Count } from "#lib/base/paging.ts";
import { countCards } from "#lib/cards/card-reads.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import { CARD_STATUSES } from "#lib/cards/card-state.ts";
import { countCardsByStatus } from "#lib/overview/internal/book-days.ts";

/**
 * How many cards a list shows from its cursor on. Exact for all cards and for a choice of statuses, because the rollup
 * keeps these numbers; otherwise counted up to a bound.
 */
export async function countListedCards(ctx: ReadContext, filter: CardFilter): Promise<Count> {
  const { search, metadata, cardholderId, freezeEndsBefore, hasCover, cursor, statuses } = filter;
  const isCounted = [search, metadata, cardholderId, freezeEndsBefore, hasCover, cursor].every(
    (value) => !value,
  );
  if (!isCounted) {
    return countCards(ctx, filter);
  }
  const [, counts] = await Promise.all([planByIndex(ctx), countCardsByStatus(ctx)]);
  const counted = new Set(statuses?.length ? statuses : CARD_STATUSES);
  const rows = [...counted].reduce((sum, status) => sum + counts[status], 0);
  return { rows, isExact: true };
}
