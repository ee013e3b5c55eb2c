import { z } from "zod";
import { cursor, limit, merchant, page, verbatim, idSchema } from "#lib/api/contract/fields.ts";
import { transactionFilter, transactionKindFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { pageOf, transactionSchema } from "#lib/api/contract/resources.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";

export const listCardTransactions = operation({
  id: "listCardTransactions",
  method: "GET",
  path: "/cards/{id}/transactions",
  summary: "List a card's transactions, newest first",
  kind: "read",
  scope: "transactions:read",
  notFound: "card_not_found",
  query: z.strictObject({ ...transactionKindFilter, limit, page, cursor: cursor.optional() }),
  answer: z.strictObject({
    data: z.array(transactionSchema),
    message: z.literal("Ok"),
    next_page: logSafe(z.int()).nullable(),
    next_cursor: z.string().nullable(),
  }),
});

export const getTransaction = operation({
  id: "getTransaction",
  method: "GET",
  path: "/cards/transaction/{id}",
  summary: "Get a transaction",
  kind: "read",
  tagged: true,
  scope: "transactions:read",
  notFound: "transaction_not_found",
  answer: z.strictObject({ data: transactionSchema, message: z.literal("Ok") }),
});

export const getTransactionById = operation({
  id: "getTransactionById",
  method: "GET",
  path: "/transactions/{id}",
  summary: "Get a transaction by its id",
  kind: "read",
  tagged: true,
  scope: "transactions:read",
  notFound: "transaction_not_found",
  answer: z.strictObject({ data: transactionSchema }),
});

export const listTransactions = operation({
  id: "listTransactions",
  method: "GET",
  path: "/transactions",
  summary: "List the transactions of all cards, newest first",
  kind: "read",
  scope: "transactions:read",
  query: z.strictObject({
    ...transactionFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(transactionSchema),
});

const NEED_AMOUNT: ReadonlySet<string> = new Set(["deduct", "deduct-reversal", "authorize"]);
const REFUSE_AMOUNT: ReadonlySet<string> = new Set(["expire"]);
const NEED_TRANSACTION: ReadonlySet<string> = new Set(["capture", "reversal", "expire", "refund"]);
const REFUSE_TRANSACTION: ReadonlySet<string> = new Set(["deduct", "authorize"]);
const REFUSE_DECLINE: ReadonlySet<string> = new Set(
  SIMULATIONS.filter((type) => !REFUSE_TRANSACTION.has(type)),
);

/** Some checkers of examples want every condition to know all members. */
const ANY_MEMBER = {
  type: {},
  amount: {},
  transaction_id: {},
  decline_with: {},
  narrative: {},
  merchant: {},
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
    "Simulate the card network: purchase, authorize, capture, reverse, expire or refund; sandbox only",
  kind: "write",
  scope: "sandbox:write",
  sandboxOnly: true,
  notFound: "card_not_found",
  body: z
    .strictObject({
      type: logSafe(z.enum(SIMULATIONS)),
      amount: amountSchema
        .optional()
        .describe("Default for a capture, reversal, or refund: the full remaining amount."),
      transaction_id: idSchema
        .optional()
        .describe(
          "The transaction to capture, reverse, expire, or refund; a deduct-reversal finds its own.",
        ),
      decline_with: logSafe(z.enum(DECLINE_REASONS))
        .optional()
        .describe(
          "A reason to decline a deduct or an authorize for, whatever the card's state. Without it, the card's rules decide.",
        ),
      narrative: verbatim.nullable().default(null),
      merchant: merchant.nullable().default(null),
    })
    .refine((body) => body.amount !== undefined || !NEED_AMOUNT.has(body.type), {
      path: ["amount"],
      error: "This field is required with this type.",
    })
    .refine((body) => body.amount === undefined || !REFUSE_AMOUNT.has(body.type), {
      path: ["amount"],
      error: "This field is not allowed with this type: an expiry releases everything still held.",
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
      error: "This field is allowed with the types deduct and authorize only.",
    })
    .meta({
      allOf: [
        forTypes(NEED_AMOUNT, required("amount")),
        forTypes(NEED_TRANSACTION, required("transaction_id")),
        forTypes(REFUSE_AMOUNT, forbidden("amount")),
        forTypes(REFUSE_TRANSACTION, forbidden("transaction_id")),
        forTypes(REFUSE_DECLINE, forbidden("decline_with")),
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
    "books_unbalanced",
    "clock_advancing",
  ],
});
