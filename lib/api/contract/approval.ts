import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { IDS, STAFF_ACTOR } from "#lib/api/contract/samples.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { BALANCE_MAX } from "#lib/base/money.ts";
import { APPROVAL_STATES } from "#db/schema/approvals.ts";

/** The setting that requires a second person for moves. */
export const approvalRule = z
  .strictObject({
    threshold: logSafe(
      z
        .int(MINOR_UNITS)
        .min(1, "This field must be at least 1.")
        .max(BALANCE_MAX, `This field must be at most ${BALANCE_MAX}.`),
    ).describe("What one person may not move alone within 24 hours, in minor units."),
    for_keys: logSafe(z.boolean()).describe("Whether API keys older than the rule need it, too."),
  })
  .nullable()
  .describe("When moves need a second person; null if they never do.");

export const approvalStatus = logSafe(z.enum(APPROVAL_STATES));

/** What an approval contains, in events too. */
export const approvalFacts = {
  id,
  status: approvalStatus.describe("Only what is waiting can still take effect."),
  operation: logSafe(z.string()).describe("The operation that was asked for."),
  target_id: id.nullable().describe("The record in its path; null without one."),
  card_id: id.nullable().describe("The card; null for several, and for none."),
  cards: logSafe(z.int()).describe("How many cards it concerns."),
  amount: money.nullable().describe("What it moves, in minor units; null if it moves nothing."),
  requester_id: id.describe("The person who asked, or who made the key that asked."),
  requested_by: actorSchema,
  created_at: time,
  expires_at: time.describe("When it expires if nobody decides, by real time."),
  decided_by: actorSchema
    .nullable()
    .describe("Who decided or canceled it; null while it waits, and if it expired."),
  decided_at: time.nullable().describe("When it ended; null while it waits."),
};

export const approvalSchema = z
  .strictObject({
    ...approvalFacts,
    request: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The body, with "all" as an amount; null without one, and once erased.'),
    comment: z.string().nullable().describe("Why it was rejected; null without a reason."),
  })
  .meta({ id: "Approval" });

/** What an operation answers with 202 when somebody else must approve the change. */
export const approvalAnswer = z.strictObject({
  data: z.strictObject({ approval: approvalSchema }),
});

export const APPROVAL_FACTS = {
  id: IDS.approval,
  status: "waiting" as const,
  operation: "creditCard",
  target_id: null,
  card_id: IDS.card,
  cards: 1,
  amount: 250_000,
  requester_id: IDS.staff,
  requested_by: STAFF_ACTOR,
  created_at: "2026-11-21T08:10:00.000Z",
  expires_at: "2026-11-28T08:10:00.000Z",
  decided_by: null,
  decided_at: null,
};

export const APPROVAL = {
  ...APPROVAL_FACTS,
  request: { card_id: IDS.card, amount: 250_000 },
  comment: null,
};

const DECIDER = { type: "staff", id: "01a1fd1b-8000-7001-8b2a-9cadbecfd0e1", name: "Noor Haddad" };

/** The sample approval after a decision, as events show it. */
export function toDecided(status: "approved" | "rejected" | "canceled") {
  return {
    ...APPROVAL_FACTS,
    status,
    decided_by: DECIDER,
    decided_at: "2026-11-21T09:30:00.000Z",
  };
}
