import { cache } from "react";
import { requireStaffPage } from "../../../page/staff-page.ts";
import { getApproval } from "#lib/approvals/approvals.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { findStaffName } from "#lib/staff/staff-name.ts";
import { getFloat } from "#lib/funds/float.ts";

/** Read once for a page and its title. Undefined for another integrator's approval, an unknown one, and a malformed id. */
export const findApproval = cache(async (id: string) => {
  const session = await requireStaffPage();
  return findAs(session, "approval_not_found", async (ctx) => {
    const approval = await getApproval(ctx, id);
    const { cardId } = approval;
    const cards = cardId ? await findCards(ctx.db, ctx.actor.integratorId, [cardId]) : [];
    const person =
      approval.targetId === null ? undefined : await findStaffName(ctx, approval.targetId);
    return { approval, card: cards[0], person, float: await getFloat(ctx) };
  });
});

/** An approval with its card, if it is about one, and the float as they are now. */
export type FoundApproval = NonNullable<Awaited<ReturnType<typeof findApproval>>>;
