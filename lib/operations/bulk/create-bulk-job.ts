import { z } from "zod";
import { moment, verbatim } from "#lib/api/contract/fields.ts";
import { freezeLevel } from "#lib/api/contract/card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { ITEMS_MAX } from "#lib/bulk/bulk-job.ts";
import { FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { BULK_JOB } from "#lib/operations/bulk/samples.ts";
import { bulkJobSchema, bulkMode, bulkOperation } from "#lib/api/contract/bulk.ts";
import { SPENDING_CONTROLS, spendingControlsRequest } from "#lib/api/contract/spending-controls.ts";
import { BULK_CONDITIONS, SOURCES, findBulkFaults } from "#lib/operations/bulk/bulk-rules.ts";
import { bulkCards } from "#lib/operations/bulk/parts.ts";
import { FREEZE_TERM_ERRORS, OTHER_NEEDS_COMMENT } from "#lib/operations/cards/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const body = z
  .strictObject({
    operation: bulkOperation,
    ...bulkCards,
    reason: logSafe(z.enum(FREEZE_REASONS))
      .nullable()
      .default(null)
      .describe("Why cards are frozen; null without a reason. Only for freeze."),
    comment: verbatim.nullable().default(null),
    level: freezeLevel
      .optional()
      .describe("The level of the freezes to make or lift, as in a request for one card."),
    until: moment
      .nullable()
      .default(null)
      .describe("When the freezes end by themselves; null if they do not. Only for freeze."),
    spending_controls: spendingControlsRequest
      .nullable()
      .optional()
      .describe(
        "What the cards may buy, as in a request for one card. Required for set_spending_controls, except with changed_by, and only for it.",
      ),
    mode: bulkMode.default("each"),
    check: logSafe(z.boolean())
      .default(false)
      .describe("Whether to decide everything and change nothing."),
  })
  .superRefine((asked, context) => {
    for (const { path, message } of findBulkFaults(asked)) {
      context.addIssue({ code: "custom", input: asked, path: [...path], message });
    }
  })
  .meta({
    ...OTHER_NEEDS_COMMENT,
    oneOf: SOURCES.map((source) => ({ required: [source] })),
    allOf: BULK_CONDITIONS,
  });

export const createBulkJob = operation({
  id: "createBulkJob",
  method: "POST",
  path: "/bulk",
  summary: `Freeze, unfreeze, close, credit, debit, or limit up to ${ITEMS_MAX.toLocaleString("en-US")} cards in one request`,
  description:
    "Accepts a job and returns it; bulk.completed says when it has ended. Each card is changed once, as by its own request; a refusal affects no other. check decides everything and changes nothing. changed_by undoes what a freeze or unfreeze has changed, level by level, or a card's spending controls. What has been changed since is refused with card_status_changed or precondition_failed, and what the caller may not do with freeze_not_liftable or scope_missing. freeze and unfreeze need the scope cards:freeze, close needs cards:write, credit and debit funds:write, and set_spending_controls cards:limits. The body may have 1 MiB and 40,000 members.",
  attempt: "change many cards",
  kind: "write",
  scope: "cards:read",
  approval: "amount",
  body,
  large: true,
  status: 202,
  answer: z.strictObject({ data: bulkJobSchema }),
  errors: FREEZE_TERM_ERRORS,
  examples: [
    {
      body: { operation: "freeze", reason: "internal_review", items: [{ card_id: IDS.card }] },
      answer: { data: { ...BULK_JOB, total: 1 } },
    },
    { body: { operation: "credit", check: true, items: [{ card_id: IDS.card, amount: 2_000 }] } },
    { body: { operation: "debit", filter: { user_id: IDS.user } } },
    {
      body: {
        operation: "unfreeze",
        level: "staff",
        mode: "all_or_nothing",
        items: [{ card_id: IDS.card }],
      },
    },
    {
      body: {
        operation: "set_spending_controls",
        spending_controls: SPENDING_CONTROLS,
        items: [{ card_id: IDS.card }],
      },
    },
    { body: { operation: "unfreeze", changed_by: IDS.bulkJob } },
  ],
});
