import { cache } from "react";
import { requireStaffPage } from "../page/staff-page.ts";
import { toPosition, toText } from "../ui/search-params.ts";
import type { Param } from "../ui/search-params.ts";
import { toPeriodQuery } from "./period-search.ts";
import type { PeriodSearch } from "./period-search.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { readMoment } from "#lib/base/moment.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { getStatement } from "#lib/statements/statement.ts";

/** The members of a statement's URL. */
export type StatementSearch = PeriodSearch & { readonly cursor?: Param; readonly print?: Param };

/** The number of lines on a page. */
const ROWS = 500;
/** The maximum number of printed lines, about two hundred sheets. */
const PRINTED_ROWS = 10_000;

/** The statement that a URL asks for. Undefined for another integrator's card, an unknown one, and a malformed id. */
export function findStatement(cardId: string | null, search: StatementSearch) {
  const page = isPrinted(search)
    ? { limit: PRINTED_ROWS }
    : { limit: ROWS, cursor: toPosition(search.cursor) };
  return read(cardId, JSON.stringify({ ...page, period: toPeriodQuery(search) }));
}

/** Whether the URL asks for all lines, to print them. */
export function isPrinted({ print }: StatementSearch): boolean {
  return toText(print) === ALL;
}

/** The value of `print` that asks for all lines. */
export const ALL = "all";

/** Read once for a page and its title; the arguments are plain values so that they can be compared. */
const read = cache(async (cardId: string | null, query: string) => {
  const session = await requireStaffPage();
  return findAs(session, "card_not_found", async (ctx) => ({
    card: cardId === null ? null : await getCard(ctx, cardId),
    now: (await readMoment(ctx.db)).at,
    businessName: session.businessName,
    ...(await getStatement(ctx, { cardId, ...JSON.parse(query) })),
  }));
});

/** A statement and what its page shows with it. */
export type FoundStatement = NonNullable<Awaited<ReturnType<typeof read>>>;
