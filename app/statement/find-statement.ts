import { cache } from "react";
import { requireStaffPage } from "../page/staff-page.ts";
import { toPosition } from "../ui/search-params.ts";
import type { Param } from "../ui/search-params.ts";
import { toPeriodQuery } from "./period-search.ts";
import type { PeriodSearch } from "./period-search.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { readMoment } from "#lib/base/moment.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { getStatement } from "#lib/statements/statement.ts";

/** The members of a statement's URL. */
export type StatementSearch = PeriodSearch & { readonly cursor?: Param };

/** How many lines a page, and a printed one, has. */
const ROWS = 500;

/** The statement that a URL asks for. Undefined for another integrator's card, an unknown one, and a malformed id. */
export function findStatement(cardId: string | null, search: StatementSearch) {
  return read(cardId, JSON.stringify(toPeriodQuery(search)), toPosition(search.cursor));
}

/** Read once for a page and its title, so its arguments are values that can be compared. */
const read = cache(async (cardId: string | null, period: string, cursor: string | undefined) => {
  const session = await requireStaffPage();
  return findAs(session, "card_not_found", async (ctx) => ({
    card: cardId === null ? null : await getCard(ctx, cardId),
    now: (await readMoment(ctx.db)).at,
    businessName: session.businessName,
    ...(await getStatement(ctx, { cardId, period: JSON.parse(period), limit: ROWS, cursor })),
  }));
});

/** A statement and what is shown with it. */
export type FoundStatement = NonNullable<Awaited<ReturnType<typeof read>>>;
