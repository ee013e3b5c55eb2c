import { z } from "zod";
import { idSchema, optionalVerbatim } from "#lib/api/contract/fields.ts";
import { cardFilter, oneOrMore } from "#lib/api/contract/filters.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { statusVersion } from "#lib/operations/cards/parts.ts";
import { ITEMS_MAX, MATCHED_MAX } from "#lib/bulk/bulk-job.ts";
import { ITEM_STATES } from "#db/schema/bulk.ts";

const ITEMS = `This field must name 1 to ${ITEMS_MAX} cards.`;

const bulkItem = z.strictObject({
  card_id: idSchema,
  amount: logSafe(
    z.union([amountSchema, z.literal("all")], 'This field must be a whole number, or "all".'),
  )
    .optional()
    .describe('How much to credit or debit, in minor units; for a debit also "all".'),
  narrative: optionalVerbatim.describe("Your text for the transaction; null without one."),
  status_version: statusVersion,
});

const { order: _, ...filter } = cardFilter;

/** Which results of a job to list or export. */
export const bulkResultFilter = {
  state: oneOrMore(ITEM_STATES).optional().describe("Only cards in one of these states."),
};

export const bulkCards = {
  items: z
    .array(bulkItem)
    .min(1, ITEMS)
    .max(ITEMS_MAX, ITEMS)
    .optional()
    .describe("The cards, in the order in which they are changed. Or give filter."),
  filter: z
    .strictObject(filter)
    .optional()
    .describe(
      `All cards that match now, as in GET /cards, at most ${MATCHED_MAX.toLocaleString("en-US")}. A debit moves all that is available. Not for credits.`,
    ),
  changed_by: idSchema
    .optional()
    .describe(
      "A bulk job of yours that has ended, to undo what it has changed: unfreeze undoes a freeze, freeze an unfreeze, and set_spending_controls itself. Takes no reason, level, until, or spending_controls.",
    ),
};
