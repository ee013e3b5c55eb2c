import { cache } from "react";
import { requireStaffPage } from "../../../../page/staff-page.ts";
import { findAs } from "#lib/auth/page-session.ts";
import type { ItemState } from "#lib/bulk/bulk-job.ts";
import { getBulkJob, listBulkResults } from "#lib/bulk/bulk-jobs.ts";
import { findCards } from "#lib/cards/card-reads.ts";

const ROWS = 50;

/** Read once for a page and its title. Undefined for another integrator's job, an unknown one, and a malformed id. */
export const findJob = cache(
  async (id: string, state: ItemState | undefined, cursor: string | undefined) => {
    const session = await requireStaffPage();
    return findAs(session, "bulk_job_not_found", async (ctx) => {
      const job = await getBulkJob(ctx, id);
      const states = state && [state];
      const results = await listBulkResults(ctx, id, { states, limit: ROWS, cursor });
      const ids = results.rows.map(({ cardId }) => cardId);
      const cards = await findCards(ctx.db, ctx.actor.integratorId, ids);
      return { job, results, cards: new Map(cards.map((card) => [card.id, card])) };
    });
  },
);

/** A job with a page of its results. */
export type FoundJob = NonNullable<Awaited<ReturnType<typeof findJob>>>;
