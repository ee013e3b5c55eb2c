import { z } from "zod";
import {
  accountSchema,
  cardSchema,
  freezeReason,
  merchantSchema,
} from "#lib/api/contract/resources.ts";
import { eventSchema } from "#lib/api/contract/webhook-resources.ts";
import { TRANSACTION_STATUSES } from "#lib/transactions/transaction-kinds.ts";
import type { EventName } from "#lib/record/event-catalog.ts";

/** What each event contains. */

const id = z.uuid();
const money = z.int();
const currency = z.string().length(3);

const fundMovement = z
  .strictObject({
    card_id: id,
    amount: money,
    currency,
    reference: id.describe("The transaction's id."),
    card_balance_after: money,
    float_balance_after: money,
  })
  .meta({ id: "FundMovement" });

const cardTransactionShape = {
  amount: money.describe(
    "Of this event only: for a partial capture, reversal, or refund, the amount of that part.",
  ),
  card_id: id,
  currency,
  reference: id.describe("The transaction's id."),
  status: z.enum(TRANSACTION_STATUSES),
  narrative: z.string().nullable(),
  merchant: merchantSchema.nullable(),
  card_balance_after: money,
  authorization_id: id.nullable().describe("On a further capture of the same authorization."),
  refund_of: id.nullable().describe("The refunded purchase."),
  hold_remaining: money.nullable().describe("What the authorization still holds."),
};

const cardTransaction = z.strictObject(cardTransactionShape).meta({ id: "CardTransaction" });

const reversedTransaction = z
  .strictObject({
    ...cardTransactionShape,
    due_at: z.iso
      .datetime()
      .nullable()
      .describe("The deadline of an authorization that has expired; null in any other case."),
  })
  .meta({ id: "ReversedCardTransaction" });

const declinedTransaction = z
  .strictObject({
    ...cardTransactionShape,
    decline_reason: z.string().nullable(),
    decline_explanation: z
      .string()
      .nullable()
      .describe("What was wrong at that moment, and what to do about it."),
  })
  .meta({ id: "DeclinedCardTransaction" });

const frozenCard = cardSchema
  .extend({
    amended: z
      .boolean()
      .describe("Whether the card was frozen already, and this freeze gave it another reason."),
    given_reason: freezeReason
      .nullable()
      .describe("The reason that this freeze gave. freeze.reason is the gravest of all."),
  })
  .meta({ id: "FrozenCard" });

const threshold = money.nullable().describe("The account's low_balance_threshold.");
const floatLevel = z.strictObject({ balance: money, threshold }).meta({ id: "FloatLevel" });
const affectedUser = z.strictObject({ user_id: id }).meta({ id: "AffectedUser" });

const EVENT_DATA: Readonly<Record<EventName, z.ZodType>> = {
  "card.created": cardSchema,
  "card.updated": cardSchema,
  "card.frozen": frozenCard,
  "card.unfrozen": cardSchema,
  "card.closed": cardSchema,
  "card.credited": fundMovement,
  "card.debited": fundMovement,
  "card.transaction": cardTransaction,
  "card.reverse-transaction": reversedTransaction,
  "card.transaction-declined": declinedTransaction,
  "float.topped-up": z.strictObject({ amount: money, balance: money, threshold }),
  "float.low-balance": floatLevel,
  "float.recovered": floatLevel,
  "integrator.updated": accountSchema
    .partial()
    .describe("Only the changed members of the account; previous has their old values."),
  "user.kyc-verification": z.strictObject({ status: z.string(), user_id: id }),
  "user.updated": z.strictObject({
    changed: z.array(z.string()).describe("The names of the changed members."),
    user_id: id,
  }),
  "user.archived": affectedUser,
  "user.unarchived": affectedUser,
  "webhook.test": z.strictObject({ message: z.string() }),
};

/** An event as a whole, as its notification sends it. */
export function toEventSchema(name: EventName): z.ZodType {
  return z
    .strictObject({ ...eventSchema.shape, event: z.literal(name), data: EVENT_DATA[name] })
    .meta({ id: toEventType(name) });
}

/** The name of the schema: `card.reverse-transaction` is a `CardReverseTransactionEvent`. */
export function toEventType(name: EventName): string {
  const words = name.split(/[.-]/u).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}
