import { z } from "zod";
import { freezeLevel, freezeReason } from "#lib/api/contract/card.ts";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { spendingControlsSchema } from "#lib/api/contract/spending-controls.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { BULK_MODES, BULK_OPERATIONS, BULK_STATES, ITEM_STATES } from "#db/schema/bulk.ts";

const count = logSafe(z.int());

export const bulkOperation = logSafe(z.enum(BULK_OPERATIONS)).describe(
  "What is done to each card.",
);

export const bulkMode = logSafe(z.enum(BULK_MODES)).describe(
  "each: one refusal does not affect the others. all_or_nothing: all in one transaction, or none.",
);

/** The counters of a job. */
export const bulkCounts = {
  total: count.describe("How many items it has: cards, or, for an undo, levels of cards."),
  done: count.describe("How many were changed, or with check would be."),
  unchanged: count.describe("How many were so already."),
  refused: count.describe("How many were refused; the results say why."),
  canceled: count.describe("How many were not tried, or not kept because another was refused."),
  amount: money.describe("What those that are done have moved, in minor units."),
};

export const bulkState = logSafe(z.enum(BULK_STATES)).describe(
  "running until the last item has ended; completed or canceled then.",
);

export const bulkJobSchema = z
  .strictObject({
    id,
    operation: bulkOperation,
    mode: bulkMode,
    check: logSafe(z.boolean()).describe("Whether it only checks, and changes nothing."),
    changed_by: id
      .nullable()
      .describe(
        "The job that it undoes; null for any other. Reason, level, until, and spending_controls are null then.",
      ),
    reason: freezeReason
      .nullable()
      .describe("Why cards are frozen; null without a reason, and for anything but freeze."),
    level: freezeLevel
      .nullable()
      .describe(
        "The level of the freezes that it makes or lifts; null for all levels, and for what has none.",
      ),
    until: time
      .nullable()
      .describe("When the freezes that it makes end by themselves; null if they do not."),
    spending_controls: spendingControlsSchema
      .nullable()
      .describe(
        "What set_spending_controls lets the cards buy; null for what the account's cards may, and for other operations.",
      ),
    state: bulkState,
    ...bulkCounts,
    actor: actorSchema,
    created_at: time,
    ended_at: time.nullable().describe("When the last item ended; null before."),
  })
  .meta({ id: "BulkJob" });

export const bulkResultSchema = z
  .strictObject({
    position: count.describe("Its place among the items, from 0."),
    card_id: id,
    amount: money
      .nullable()
      .describe("How much to move, in minor units; null for all, and for what moves nothing."),
    level: freezeLevel
      .nullable()
      .describe("The level of the card that an undo is about; null for any other job."),
    state: logSafe(z.enum(ITEM_STATES)).describe(
      "waiting, done, unchanged (it was so already), refused, or canceled.",
    ),
    code: logSafe(z.string()).nullable().describe("The error code of a refusal; null otherwise."),
    detail: z.string().nullable().describe("The refusal in words; null otherwise."),
  })
  .meta({ id: "BulkResult" });
