import {
  CARD,
  CREDIT,
  FLOAT,
  FROZEN_CARD,
  IDS,
  KEY_ACTOR,
  PURCHASE,
  REFUND,
  REQUEST_ID,
} from "#lib/api/contract/samples.ts";
import type { EventName } from "#lib/record/event-catalog.ts";

const MOVEMENT = {
  card_id: IDS.card,
  amount: 2_000,
  currency: "USD",
  reference: CREDIT.id,
  card_balance_after: 2_000,
  float_balance_after: 998_000,
};

const BOUGHT = {
  amount: PURCHASE.amount,
  card_id: IDS.card,
  currency: "USD",
  reference: PURCHASE.id,
  status: "settled",
  narrative: PURCHASE.narrative,
  merchant: PURCHASE.merchant,
  card_balance_after: PURCHASE.card_balance_after,
  authorization_id: null,
  refund_of: null,
  hold_remaining: null,
};

const CLOSED = { ...CARD, status: "closed", status_version: 2, balance: 0, available: 0 };
const LEVEL = { balance: 90_000, threshold: 100_000 };

const SUBJECTS: Readonly<Record<string, object>> = {
  card: { type: "card", id: IDS.card },
  float: { type: "float", id: IDS.float },
  user: { type: "cardholder", id: IDS.user },
};

/** An example of each event, as its notification sends it. */
export const EVENT_EXAMPLES: Readonly<Record<EventName, object>> = {
  "card.created": toEvent("card.created", { ...CARD, balance: 0, available: 0 }),
  "card.updated": toEvent("card.updated", CARD, { metadata: {} }),
  "card.frozen": toEvent(
    "card.frozen",
    { ...FROZEN_CARD, amended: false, given_reason: FROZEN_CARD.freeze.reason },
    { status: "active" },
  ),
  "card.unfrozen": toEvent("card.unfrozen", CARD, { status: "frozen" }),
  "card.closed": toEvent("card.closed", CLOSED, { status: "active" }),
  "card.credited": toEvent("card.credited", MOVEMENT),
  "card.debited": toEvent("card.debited", {
    ...MOVEMENT,
    card_balance_after: 0,
    float_balance_after: 1_000_000,
  }),
  "card.transaction": toEvent("card.transaction", BOUGHT),
  "card.reverse-transaction": toEvent("card.reverse-transaction", {
    ...BOUGHT,
    amount: REFUND.amount,
    card_balance_after: REFUND.card_balance_after,
    refund_of: REFUND.refund_of,
    due_at: null,
  }),
  "card.transaction-declined": toEvent("card.transaction-declined", {
    ...BOUGHT,
    status: "declined",
    card_balance_after: PURCHASE.card_balance_before,
    decline_reason: "card_frozen",
    decline_explanation: "The card was frozen. Unfreeze it, then ask the merchant to retry.",
  }),
  "float.topped-up": toEvent("float.topped-up", {
    amount: 1_000_000,
    balance: FLOAT.balance,
    threshold: 100_000,
  }),
  "float.low-balance": toEvent("float.low-balance", LEVEL),
  "float.recovered": toEvent("float.recovered", { ...LEVEL, balance: 500_000 }),
  "integrator.updated": toEvent(
    "integrator.updated",
    { domain: "northwind.example" },
    { domain: "old.northwind.example" },
  ),
  "user.kyc-verification": toEvent("user.kyc-verification", {
    status: "verified",
    user_id: IDS.user,
  }),
  "user.updated": toEvent("user.updated", { changed: ["email"], user_id: IDS.user }),
  "user.archived": toEvent("user.archived", { user_id: IDS.user }),
  "user.unarchived": toEvent("user.unarchived", { user_id: IDS.user }),
  "webhook.test": toEvent("webhook.test", {
    message: "This is a test. Nothing happened to your cards or your float.",
  }),
};

function toEvent(event: EventName, data: object, previous: object | null = null) {
  return {
    id: IDS.delivery,
    event,
    api_version: "0.5.0",
    environment: "sandbox",
    created_at: "2026-11-21T07:56:40.105Z",
    integrator_id: IDS.integrator,
    subject: toSubject(event),
    sequence: 4,
    request_id: REQUEST_ID,
    actor: KEY_ACTOR,
    data,
    previous,
    checksum: "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
  };
}

/** The first word of an event's name says what it is about. */
function toSubject(event: EventName) {
  const [noun = ""] = event.split(".");
  return SUBJECTS[noun] ?? { type: "account", id: IDS.integrator };
}
