import { z } from "zod";
import { cursor, limit, optionalVerbatim, source, idSchema } from "#lib/api/contract/fields.ts";
import { floatEntryFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { cardSchema, floatEntrySchema, floatSchema, pageOf } from "#lib/api/contract/resources.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";

const creditBody = z.strictObject({
  card_id: idSchema,
  amount: amountSchema,
  source,
  narrative: optionalVerbatim,
});

const ALL_OR_AMOUNT =
  'This field must be a whole number of the minor unit, 1 to 1000000000000, or the string "all": 2000 is $20.00.';

const CREDIT_ERRORS = [
  "card_not_found",
  "card_closed",
  "card_expired",
  "insufficient_float",
  "balance_limit_exceeded",
  "books_unbalanced",
  "clock_advancing",
  "overloaded",
] as const;

export const creditCard = operation({
  id: "creditCard",
  method: "PATCH",
  path: "/cards/credit/balance",
  summary: "Move funds from the float to a card",
  kind: "funds",
  scope: "funds:write",
  since: "0.5.0",
  body: creditBody,
  answer: cardSchema,
  errors: CREDIT_ERRORS,
});

export const debitCard = operation({
  id: "debitCard",
  method: "PATCH",
  path: "/cards/debit/balance",
  summary: 'Move funds from a card to the float; the amount "all" withdraws everything available',
  kind: "funds",
  scope: "funds:write",
  since: "0.5.0",
  body: z.strictObject({
    ...creditBody.shape,
    amount: logSafe(z.union([amountSchema, z.literal("all")], ALL_OR_AMOUNT)).describe(
      '"all" withdraws everything available. Above 1000000000000, that takes several transfers at once, each with its own transaction and card.debited event.',
    ),
  }),
  answer: cardSchema,
  errors: [
    "card_not_found",
    "card_closed",
    "insufficient_card_balance",
    "balance_limit_exceeded",
    "books_unbalanced",
    "clock_advancing",
    "overloaded",
  ],
});

export const topUpCard = operation({
  id: "topUpCard",
  method: "PATCH",
  path: "/cards/top-up",
  summary: "Top up a card: the same as crediting it",
  kind: "funds",
  scope: "funds:write",
  deprecation: {
    since: "0.5.0",
    at: new Date("2026-01-01T00:00:00Z"),
    sunset: null,
    successor: "/cards/credit/balance",
    toSuccessorBody: (cardId) => ({ card_id: cardId, amount: 2_000 }),
  },
  body: creditBody,
  answer: cardSchema,
  errors: CREDIT_ERRORS,
});

export const topUpFloat = operation({
  id: "topUpFloat",
  method: "PATCH",
  path: "/card-integrators/top-up-float",
  summary: "Top up the float, as a bank transfer would; sandbox only",
  kind: "funds",
  scope: "sandbox:write",
  since: "0.2.0",
  sandboxOnly: true,
  body: z.strictObject({ amount: amountSchema }),
  answer: z.strictObject({ message: z.literal("Balance updated successfully"), data: floatSchema }),
  errors: ["balance_limit_exceeded", "books_unbalanced", "clock_advancing", "overloaded"],
});

export const getFloat = operation({
  id: "getFloat",
  method: "GET",
  path: "/card-integrators/float",
  summary: "Get the float",
  kind: "read",
  tagged: true,
  scope: "account:read",
  answer: floatSchema,
});

export const listFloatEntries = operation({
  id: "listFloatEntries",
  method: "GET",
  path: "/card-integrators/float/entries",
  summary: "List the float's statement, newest first",
  kind: "read",
  scope: "account:read",
  query: z.strictObject({ ...floatEntryFilter, limit, cursor: cursor.optional() }),
  answer: pageOf(floatEntrySchema),
});
