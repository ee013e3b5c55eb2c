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
import { operation } from "#lib/operations/operation.ts";
import { IDS, PURCHASE } from "#lib/api/contract/samples.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";

const NEED_AMOUNT: ReadonlySet<string> = new Set([
  "deduct",
  "deduct-reversal",
  "authorize",
  "increment",
  "posting",
]);

const REFUSE_AMOUNT: ReadonlySet<string> = new Set(["expire", "verification"]);

const NEED_TRANSACTION: ReadonlySet<string> = new Set([
  "increment",
  "capture",
  "reversal",
  "expire",
  "refund",
]);

const REFUSE_TRANSACTION: ReadonlySet<string> = new Set([
  "deduct",
  "authorize",
  "verification",
  "posting",
]);

const REFUSE_DECLINE: ReadonlySet<string> = new Set(
  SIMULATIONS.filter((type) => type === "posting" || !REFUSE_TRANSACTION.has(type)),
);

const REFUSE_CHARGE: ReadonlySet<string> = new Set(
  [...REFUSE_DECLINE].filter((type) => type !== "capture"),
);

const REFUSE_FINAL: ReadonlySet<string> = new Set(SIMULATIONS.filter((type) => type !== "capture"));

const REFUSE_OCCURRED: ReadonlySet<string> = new Set(["expire"]);

const REFUSE_PARTIAL: ReadonlySet<string> = new Set(
  SIMULATIONS.filter((type) => type !== "authorize"),
);

/** Some checkers of examples want every condition to know all members. */
const ANY_MEMBER = {
  type: {},
  amount: {},
  transaction_id: {},
  decline_with: {},
  allow_partial: {},
  force: {},
  final: {},
  occurred_at: {},
  narrative: {},
  merchant: {},
  merchant_amount: {},
  merchant_currency: {},
};

function required(name: keyof typeof ANY_MEMBER) {
  return { properties: ANY_MEMBER, required: [name] };
}

function forbidden(name: keyof typeof ANY_MEMBER) {
  return { properties: ANY_MEMBER, not: required(name) };
}

/** What the document says of a body with one of these types. */
function forTypes(types: ReadonlySet<string>, rule: object) {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
  return { if: { properties: { type: { enum: [...types] } } }, then: rule };
}

export const mockTransaction = operation({
  id: "mockTransaction",
  method: "POST",
  path: "/cards/{id}/mock-transaction",
  summary:
    "Simulate the card network: purchase, authorize, verify, increment, capture, post, reverse, expire or refund; sandbox only",
  description:
    "A decline is answered 200, with an explanation. An increment, a capture, a reversal, an expiry, and a refund need a transaction_id. verification asks whether the card is accepted, with the amount 0. posting is a purchase without an authorization, which is always paid. Without force, what the card network may still post is refused: to capture or reverse an authorization that has ended, or more than it holds and the card can pay, and to refund more than is left of a purchase, or without one. What a capture says of the purchase is laid over what its authorization said. expire does now what the authorization's deadline does. decline_with declines for the reason that it names; the explanation says that it was forced.",
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
          "The transaction to increment, capture, reverse, expire, or refund; a deduct-reversal finds its own.",
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
      occurred_at: occurredAt,
      narrative: verbatim.nullable().default(null),
      merchant: merchant.nullable().default(null),
      ...merchantCharge,
    })
    .refine((body) => body.amount !== undefined || !NEED_AMOUNT.has(body.type), {
      path: ["amount"],
      error: "This field is required with this type.",
    })
    .refine((body) => body.amount === undefined || !REFUSE_AMOUNT.has(body.type), {
      path: ["amount"],
      error:
        "This field is not allowed with this type: an expiry releases everything still held, and a verification has the amount 0.",
    })
    .refine((body) => body.transaction_id !== undefined || !NEED_TRANSACTION.has(body.type), {
      path: ["transaction_id"],
      error: "This field is required with this type.",
    })
    .refine((body) => body.transaction_id === undefined || !REFUSE_TRANSACTION.has(body.type), {
      path: ["transaction_id"],
      error: "This field is not allowed with this type.",
    })
    .refine((body) => body.decline_with === undefined || !REFUSE_DECLINE.has(body.type), {
      path: ["decline_with"],
      error: "This field is allowed with the types deduct, authorize, and verification only.",
    })
    .refine((body) => body.allow_partial === undefined || body.type === "authorize", {
      path: ["allow_partial"],
      error: "This field is allowed with the type authorize only.",
    })
    .refine((body) => body.merchant_amount === undefined || !REFUSE_CHARGE.has(body.type), {
      path: ["merchant_amount"],
      error:
        "This field is allowed with the types deduct, authorize, capture, and verification only.",
    })
    .refine((body) => body.final === undefined || !REFUSE_FINAL.has(body.type), {
      path: ["final"],
      error: "This field is allowed with the type capture only.",
    })
    .refine((body) => body.occurred_at === undefined || !REFUSE_OCCURRED.has(body.type), {
      path: ["occurred_at"],
      error: "This field is not allowed with the type expire: a deadline is the account's own.",
    })
    .check(({ value, issues }) => requireWholeCharge(value, { issues }))
    .meta({
      ...CHARGE_IS_WHOLE,
      allOf: [
        forTypes(NEED_AMOUNT, required("amount")),
        forTypes(NEED_TRANSACTION, required("transaction_id")),
        forTypes(REFUSE_AMOUNT, forbidden("amount")),
        forTypes(REFUSE_TRANSACTION, forbidden("transaction_id")),
        forTypes(REFUSE_DECLINE, forbidden("decline_with")),
        forTypes(REFUSE_CHARGE, forbidden("merchant_amount")),
        forTypes(REFUSE_FINAL, forbidden("final")),
        forTypes(REFUSE_OCCURRED, forbidden("occurred_at")),
        forTypes(REFUSE_PARTIAL, forbidden("allow_partial")),
      ],
    }),
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
