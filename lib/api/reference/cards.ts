import type { Entries } from "#lib/api/reference/entry.ts";
import {
  CARD,
  CREDIT,
  FROZEN_CARD,
  IDS,
  KEY_ACTOR,
  REQUEST_ID,
} from "#lib/api/reference/samples.ts";

export const CARDS: Entries = {
  freezeCard: {
    description:
      "Once this has answered 200, nothing that starts later is approved. Earlier authorizations can still be captured, up to what they hold; reversals and refunds still arrive. Freezing a frozen card answers 200: with the same reason or none it changes nothing, and with another reason it amends the freeze, which stands for the gravest.",
    example: {
      id: IDS.card,
      body: { reason: "lost", comment: "Reported by phone" },
      answer: FROZEN_CARD,
    },
  },
  unfreezeCard: {
    description:
      "Unfreezing an active card changes nothing and answers 200. Send status_version to lift only the freeze that you know of.",
    example: {
      id: IDS.card,
      body: { comment: "Found again" },
      answer: { ...CARD, status_version: 3 },
    },
  },
  closeCard: {
    description: "Final. Refused while authorizations are open: capture or reverse them first.",
    example: {
      id: IDS.card,
      body: { comment: "No longer needed" },
      answer: { ...CARD, status: "closed", status_version: 2, balance: 0, available: 0 },
    },
  },
  createVirtualCard: {
    description: "validity is in days. The card has no funds until it is credited.",
    example: {
      body: {
        user_id: IDS.user,
        currency: "USD",
        design_type: "midnight",
        single_use: false,
        validity: 365,
        metadata: { order_id: "4711" },
      },
      answer: { data: { ...CARD, balance: 0, available: 0 } },
    },
  },
  listCards: {
    description:
      "Without a total, so that it is as fast for many cards as for few. Follow the Link header to the next page.",
    example: { query: { status: "active,frozen", limit: "15" }, answer: [CARD] },
  },
  getCard: {
    description: "The card as it is now, with its balance.",
    example: { id: IDS.card, answer: CARD },
  },
  updateCard: {
    description: "At most 20 keys and 4,096 bytes in total.",
    example: { id: IDS.card, body: { metadata: { order_id: "4711" } }, answer: CARD },
  },
  listCardActivity: {
    description:
      "Status changes, transactions, and refused requests of one card, on one timeline. Exactly one of state_change, transaction, and refusal is set.",
    example: {
      id: IDS.card,
      query: { limit: "15" },
      answer: {
        data: [
          {
            id: IDS.transaction,
            type: "transaction",
            created_at: CREDIT.created_at,
            actor: KEY_ACTOR,
            request_id: REQUEST_ID,
            state_change: null,
            transaction: CREDIT,
            refusal: null,
          },
        ],
        next_cursor: null,
      },
    },
  },
};
