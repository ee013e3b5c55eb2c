import { cache } from "react";
import { requireStaffPage } from "../../../page/staff-page.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import { getCardWith } from "#lib/cards/card-reads.ts";
import { findReviewed } from "#lib/cards/freeze-review.ts";
import { getHolderOf } from "#lib/cards/cardholder-reads.ts";
import { getFloat } from "#lib/funds/float.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import { readNames } from "#lib/record/names.ts";
import { listCardTimeline } from "#lib/transactions/card-activity.ts";
import type { Activity } from "#lib/transactions/card-activity.ts";
import {
  findLastApproval,
  listOpenHolds,
  listRefundable,
} from "#lib/transactions/card-purchases.ts";

/** How many earlier transactions the simulator offers. */
const CHOICES_MAX = 50;

/**
 * Which part of a card's timeline to read. Equal values give the same object, so `findCard` reads once for a page and
 * its title.
 */
export const toTimelinePage = cache((limit: number, cursor?: string, type?: Activity["type"]) => ({
  limit,
  cursor,
  type,
}));

/** Read once for a page and its title. Undefined for another integrator's card, an unknown one and a malformed id. */
export const findCard = cache(async (id: string, page: ReturnType<typeof toTimelinePage>) => {
  const session = await requireStaffPage();
  return findAs(session, "card_not_found", async (ctx) => {
    const [card, [holder, float, account, activity, holds, purchases]] = await getCardWith(
      ctx,
      id,
      () =>
        Promise.all([
          getHolderOf(ctx, id),
          getFloat(ctx),
          getAccount(ctx),
          listCardTimeline(ctx, [id], page),
          listOpenHolds(ctx, id, CHOICES_MAX),
          // Only the simulator asks for them.
          session.environment === "sandbox"
            ? listRefundable(ctx, id, { limit: CHOICES_MAX })
            : null,
        ]),
    );
    const others = [card.replaces, card.replacedBy].filter((other) => other !== null);
    const [lastApproval, reviewed, names] = await Promise.all([
      card.freeze && findLastApproval(ctx, id, card.freeze.frozenAt),
      findReviewed(ctx, [card]),
      readNames(
        ctx,
        others.map((other) => ({ type: "card", id: other })),
      ),
    ]);
    const expired = hasPassed(session, card.expiresAt, new Date());
    const isReviewed = reviewed.has(id);
    return {
      card,
      /** The names of the cards that it replaces, or that replace it. */
      names,
      holder,
      expired,
      isReviewed,
      float,
      account,
      activity,
      holds,
      purchases,
      lastApproval,
    };
  });
});

/** A card and what its page shows with it. */
export type FoundCard = NonNullable<Awaited<ReturnType<typeof findCard>>>;
