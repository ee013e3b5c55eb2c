import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { readCardNames, toNamedCardResource } from "#lib/cards/card-names.ts";

/** How many cards a preview lists. */
const LISTED_MAX = 50;

/** What a preview selects of the cards `c` that would be frozen. */
export const PREVIEWED = sql`count(*)::int as cards, coalesce((array_agg(c.id order by c.id))[1:${sql.raw(String(LISTED_MAX))}], '{}') as ids`;

export interface PreviewedRow extends Record<string, unknown> {
  cards: number;
  ids: string[];
}

/** The cards that would be frozen: how many, and the first of them, as answers show them. */
export type FreezePreview = Awaited<ReturnType<typeof toFreezePreview>>;

export async function toFreezePreview(ctx: ReadContext, row: PreviewedRow | undefined) {
  const first = await readCardNames(ctx, row?.ids ?? []);
  return { cards: row?.cards ?? 0, first: first.map(toNamedCardResource) };
}
