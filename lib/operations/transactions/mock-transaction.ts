import { z } from "zod";
import { idSchema, merchant, verbatim } from "#lib/api/contract/fields.ts";
import {
  CHARGE_IS_WHOLE,
  merchantCharge,
  requireWholeCharge,
} from "#lib/api/contract/merchant-charge.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { occurredAt } from "#lib/operations/processor/parts.ts";
import { MEMBERS_BY_TYPE, requireMembers } from "#lib/operations/transactions/simulated-members.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS, PURCHASE } from "#lib/api/contract/samples.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";

const EARLIER_MAX = 5;

const earlierMessage = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: logSafe(z.literal("capture")).describe("A capture of the authorization."),
      amount: amountSchema.describe("How much is captured, in minor units."),
      final: logSafe(z.boolean())
        .default(false)
        .describe("Whether nothing more will be captured, so that nothing stays held."),
    }),
    z.strictObject({
      type: logSafe(z.literal("reversal")).describe("A reversal of the authorization."),
      amount: amountSchema
        .optional()
        .describe("How much is reversed, in minor units. Default: everything not captured."),
    }),
  ],
  "The type of each message must be one of capture, reversal.",
);

export const mockTransaction = operation({
  id: "mockTransaction",
  method: "POST",
  path: "/cards/{id}/mock-transaction",
  summary:
    "Simulate the card network: purchase, authorize, advise, verify, increment, capture, post, reverse, expire, refund or take back; sandbox only",
  description:
    "A decline is answered 200, with an explanation. An increment, a capture, a reversal, an expiry, and a refund need a transaction_id. verification asks whether the card is accepted, with the amount 0. posting is a purchase without an authorization, which is always paid. Without force, what the card network may still post is refused: to capture or reverse an authorization that has ended, or more than it holds and the card can pay, and to refund more than is left of a purchase, or without one. What a capture says of the purchase is laid over what its authorization said. expire does now what the authorization's deadline does. advice is an approval that the card network gave in your place, also of the declined authorization that transaction_id names. take-back cancels a settled purchase or a refund. decline_with declines for the reason that it names; the explanation says that it was forced.",
  attempt: "simulate a transaction on {card}",
  kind: "write",
  scope: "sandbox:write",
  sandboxOnly: true,
  notFound: "card_not_found",
  body: z
    .strictObject({
      type: logSafe(z.enum(SIMULATIONS)).describe("What the card network does."),
      amount: amountSchema
        .optional()
        .describe(
          "The amount, in minor units of the card's currency. Default for a capture, reversal, or refund: the full remaining amount.",
        ),
      transaction_id: idSchema
        .optional()
        .describe(
          "The transaction to increment, capture, reverse, expire, refund, take back, or advise on; a deduct-reversal finds its own.",
        ),
      decline_with: logSafe(z.enum(DECLINE_REASONS))
        .optional()
        .describe(
          "A reason to decline a deduct, an authorize, or a verification for, whatever the card's state. Without it, the card's rules decide.",
        ),
      allow_partial: logSafe(z.boolean()).optional(),
      force: logSafe(z.boolean())
        .default(false)
        .describe("Whether to simulate also what a test has probably not meant."),
      final: logSafe(z.boolean())
        .optional()
        .describe("For a capture: whether the rest of the hold is released."),
      earlier: z
        .array(earlierMessage)
        .min(1)
        .max(EARLIER_MAX)
        .optional()
        .describe(
          "For an authorize: messages about this authorization that the card network delivers before it, in order.",
        ),
      occurred_at: occurredAt,
      narrative: verbatim.nullable().default(null),
      merchant: merchant.nullable().default(null),
      ...merchantCharge,
    })
    .check(({ value, issues }) => {
      requireMembers(value, { issues });
      requireWholeCharge(value, { issues });
    })
    .meta({ ...CHARGE_IS_WHOLE, allOf: MEMBERS_BY_TYPE }),
  answer: z.strictObject({ data: transactionSchema, message: z.literal("Ok") }),
  errors: [
    "authorization_not_found",
    "transaction_not_found",
    "authorization_captured",
    "authorization_reversed",
    "authorization_expired",
    "authorization_declined",
    "transaction_not_settled",
    "capture_exceeds_authorization",
    "reversal_exceeds_hold",
    "refund_exceeds_purchase",
    "insufficient_card_balance",
    "balance_limit_exceeded",
    "clock_advancing",
  ],
  examples: [
    {
      id: IDS.card,
      body: {
        type: "deduct",
        amount: 50,
        narrative: PURCHASE.narrative,
        merchant: PURCHASE.merchant,
      },
      answer: {
        data: { ...PURCHASE, amount: 50, card_balance_after: 1_950 },
        message: "Ok",
      },
    },

    { needs: "purchase", id: IDS.card, body: { type: "deduct-reversal", amount: 10 } },
    { id: IDS.card, body: { type: "refund", transaction_id: IDS.transaction, amount: 10 } },
    { id: IDS.card, body: { type: "authorize", amount: 10 } },
    { id: IDS.card, body: { type: "authorize", amount: 1_000_000_000, allow_partial: true } },
    {
      id: IDS.card,
      body: { type: "authorize", amount: 54, merchant_amount: 50, merchant_currency: "EUR" },
    },
    {
      id: IDS.card,
      body: { type: "authorize", amount: 10, earlier: [{ type: "capture", amount: 10 }] },
    },
    { id: IDS.card, body: { type: "advice", amount: 10 } },
    { id: IDS.card, body: { type: "verification" } },
    { id: IDS.card, body: { type: "increment", transaction_id: IDS.authorization, amount: 5 } },
    { id: IDS.card, body: { type: "capture", transaction_id: IDS.authorization, amount: 5 } },
    {
      id: IDS.card,
      body: {
        type: "capture",
        transaction_id: IDS.authorization,
        amount: 5,
        final: true,
        narrative: "BLUE BOTTLE*TIP",
        occurred_at: "2026-11-01T10:00:00Z",
      },
    },
    { id: IDS.card, body: { type: "reversal", transaction_id: IDS.authorization } },
    { id: IDS.card, body: { type: "expire", transaction_id: IDS.authorization } },
    {
      id: IDS.card,
      body: { type: "capture", transaction_id: IDS.authorization, amount: 500, force: true },
    },
    { id: IDS.card, body: { type: "posting", amount: 10 } },
    { id: IDS.card, body: { type: "deduct", amount: 1_000_000_000 } },
    { id: IDS.card, body: { type: "deduct", amount: 1, decline_with: "card_frozen" } },
  ],
});
