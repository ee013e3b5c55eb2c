import { cache } from "react";
import { requireStaffPage } from "../../../page/staff-page.ts";
import { getApproval } from "#lib/approvals/approvals.ts";
import type { Approval } from "#lib/approvals/approvals.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { findApiKeyName } from "#lib/access/api-key-name.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { readCardNames } from "#lib/cards/card-names.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { createBulkJob } from "#lib/operations/bulk/create-bulk-job.ts";
import { updateSettings } from "#lib/operations/account/update-settings.ts";
import { findStaffName } from "#lib/staff/staff-name.ts";
import { getFloat } from "#lib/funds/float.ts";
import { getAccount } from "#lib/integrators/integrators.ts";

/** How many of a job's cards are listed. */
export const LISTED_MAX = 100;

/**
 * Read once for a page and its title. Undefined for another integrator's approval, an unknown one, and a malformed
 * id.
 */
export const findApproval = cache(async (id: string) => {
  const session = await requireStaffPage();
  return findAs(session, "approval_not_found", async (ctx) => {
    const approval = await getApproval(ctx, id);
    const { cardId } = approval;
    const cards = cardId ? await findCards(ctx.db, ctx.actor.integratorId, [cardId]) : [];
    const about = approval.targetId === null ? undefined : await findAbout(ctx, approval.targetId);
    const job = toJob(approval);
    const listed = job?.items.slice(0, LISTED_MAX) ?? [];
    const names = await readCardNames(
      ctx,
      listed.map((item) => item.card_id),
    );
    const rule = await findRule(ctx, approval);
    return { approval, card: cards[0], about, job, rule, names, float: await getFloat(ctx) };
  });
});

/** The person, or the API key, that a request is about. */
async function findAbout(ctx: ReadContext, id: string): Promise<string | undefined> {
  return (await findStaffName(ctx, id)) ?? (await findApiKeyName(ctx, id));
}

/**
 * The setting that requires a second person for moves, both current and requested; undefined if the request does not
 * change it.
 */
async function findRule(ctx: ReadContext, { operation, request }: Approval) {
  const asked =
    operation === updateSettings.id ? updateSettings.body?.safeParse(request).data : undefined;
  return asked?.approval === undefined
    ? undefined
    : { now: (await getAccount(ctx)).approval, asked: asked.approval };
}

/** What a job does, and the cards that it names. It may name a card several times. */
function toJob({ operation, request }: Approval) {
  const job = operation === createBulkJob.id ? createBulkJob.body?.safeParse(request).data : null;
  return (
    job?.items && {
      operation: job.operation,
      items: job.items.map((item, position) => ({ ...item, position })),
    }
  );
}

/** An approval, its card or the first cards of its job, and the float as it is now. */
export type FoundApproval = NonNullable<Awaited<ReturnType<typeof findApproval>>>;
