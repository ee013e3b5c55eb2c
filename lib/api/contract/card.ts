import { z } from "zod";
import { cardSpendingControlsSchema, controlsSource } from "#lib/api/contract/spending-controls.ts";
import { coverOutstanding } from "#lib/api/contract/event-members.ts";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { CREATED_AT, IDS, KEY_ACTOR, UPDATED_AT } from "#lib/api/contract/samples.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { CARD_STATUSES, FREEZE_LEVELS, FREEZE_REASONS } from "#lib/cards/card-state.ts";

/** A card in answers and events. */

export const cardStatus = logSafe(z.enum(CARD_STATUSES).meta({ id: "CardStatus" }));

export const freezeReason = logSafe(z.enum(FREEZE_REASONS).meta({ id: "FreezeReason" }));

export const freezeLevel = logSafe(z.enum(FREEZE_LEVELS).meta({ id: "FreezeLevel" }));

const freezeSchema = z
  .strictObject({
    frozen_at: time.describe("When the card was frozen; another reason does not change it."),
    reason: freezeReason
      .nullable()
      .describe(
        "The gravest reason that the freeze was given; comment and actor belong to it. Null if none was given.",
      ),
    comment: z.string().nullable(),
    actor: actorSchema,
    level: freezeLevel.describe("Who may lift it: a card has at most one freeze of each level."),
    until: time
      .nullable()
      .describe("When it ends by itself, by the clock of the account; null if it does not."),
  })
  .meta({ id: "CardFreeze" });

export const cardSchema = z
  .strictObject({
    id,
    business_id: id.describe("The id of the account that issued the card."),
    user_id: id,
    card_name: z
      .string()
      .describe("The cardholder's name when the card was created, as it is printed on the card."),
    card_number: z.string().describe("Masked: the first six and the last four digits."),
    last4: z.string().describe("The last four digits of the card number."),
    card_type: z.literal("virtual").describe("Every card is virtual."),
    currency,
    cvv2: z.null().describe("Always null: the server never has the security code."),
    design_type: z.string(),
    expiry: time.describe(
      "When the card expires, by the clock of the account. From then on, purchases are declined with card_expired.",
    ),
    valid: z.string().describe("The month and year of expiry as a card shows them: MM/YY."),
    single_use: logSafe(z.boolean()),
    provider: z
      .string()
      .describe("Who processes the card's purchases, such as sandbox for a simulated network."),
    status: cardStatus.describe(
      "active: purchases are decided. frozen: every purchase is declined until it is unfrozen. closed: for good.",
    ),
    status_version: logSafe(z.int()).describe(
      "Increases by 1 with each freeze, each change of one, each lift, and when the card is closed. Balances do not affect it.",
    ),
    freeze: freezeSchema
      .nullable()
      .describe("The gravest of its freezes; null unless the card is frozen."),
    freezes: z
      .array(freezeSchema)
      .describe("All freezes that stand, the gravest first. The card is frozen while any does."),
    balance: money.describe("The funds on the card, in minor units of currency, holds included."),
    held: money.describe("What open authorizations hold, in minor units of currency."),
    available: money,
    cover_outstanding: coverOutstanding,
    spending_controls: cardSpendingControlsSchema
      .nullable()
      .describe("What the card may buy; null while that is everything."),
    spending_controls_source: controlsSource,
    metadata: z.record(z.string(), z.string()),
    replaces: id
      .nullable()
      .describe("The id of the card that it was issued to replace; null for any other card."),
    replaced_by: id
      .nullable()
      .describe("The id of the card that was issued to replace it; null unless it was replaced."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Card" });

export const CARD = {
  id: IDS.card,
  business_id: IDS.integrator,
  user_id: IDS.user,
  card_name: "Kofi Mensah",
  card_number: "222300******0561",
  last4: "0561",
  card_type: "virtual",
  currency: "USD",
  cvv2: null,
  design_type: "midnight",
  expiry: "2027-11-21T07:56:22.186Z",
  valid: "11/27",
  single_use: false,
  provider: "floatdeck",
  status: "active",
  status_version: 1,
  freeze: null,
  freezes: [],
  balance: 2_000,
  held: 0,
  available: 2_000,
  cover_outstanding: 0,
  spending_controls: null,
  spending_controls_source: "none",
  metadata: { order_id: "4711" },
  replaces: null,
  replaced_by: null,
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
};

/** The card that replaces `CARD`. */
export const REPLACEMENT = {
  ...CARD,
  id: "01a1fd1b-8a00-7001-8d29-8c204e5b9b63",
  card_number: "222300******7310",
  last4: "7310",
  replaces: IDS.card,
};

const FREEZE = {
  frozen_at: UPDATED_AT,
  reason: "lost",
  comment: "Reported by phone",
  actor: KEY_ACTOR,
  level: "cardholder",
  until: null,
};

export const FROZEN_CARD = {
  ...CARD,
  status: "frozen",
  status_version: 2,
  freeze: FREEZE,
  freezes: [FREEZE],
};

const COMPLIANCE_FREEZE = {
  ...FREEZE,
  reason: "internal_review",
  comment: "Case 7",
  level: "compliance",
  until: "2026-11-28T09:00:00.000Z",
};

/** A card with a freeze at each of two levels. The reason of the cardholder's freeze is the graver one. */
export const CARD_FROZEN_TWICE = {
  ...FROZEN_CARD,
  status_version: 3,
  freezes: [FREEZE, COMPLIANCE_FREEZE],
};
