import type { Entries } from "#lib/api/reference/entry.ts";
import {
  CAPTURED,
  FLOAT,
  IDS,
  NETWORK_PURCHASE,
  REFUND,
  REVERSED,
} from "#lib/api/reference/samples.ts";

const NETWORK_ACTOR = { type: "processor", id: IDS.apiKey, name: "Card network" };

export const PROCESSOR: Entries = {
  createAuthorization: {
    description:
      "A decline is an answer too: 200, with the decision declined and its reason. A repeat with the same reference gets the first decision.",
    example: {
      body: {
        reference: "auth-8842",
        card_id: IDS.card,
        amount: 50,
        currency: "USD",
        ...NETWORK_PURCHASE,
      },
      answer: {
        id: IDS.authorization,
        decision: "approved",
        decline_reason: null,
        available: 1_950,
      },
    },
  },
  createCapture: {
    description:
      "Moves held funds off the card. Each further capture is a transaction of its own, which names the authorization.",
    example: {
      id: IDS.authorization,
      body: { reference: "capture-8842", amount: 5 },
      answer: { data: { ...CAPTURED, actor: NETWORK_ACTOR } },
    },
  },
  createReversal: {
    description: "The funds become available on the card again.",
    example: {
      id: IDS.authorization,
      body: { reference: "reversal-8842" },
      answer: { data: { ...REVERSED, actor: NETWORK_ACTOR } },
    },
  },
  createRefund: {
    description: "Refunds also arrive while the card is frozen.",
    example: {
      body: {
        reference: "refund-8842",
        card_id: IDS.card,
        amount: 20,
        transaction_id: IDS.transaction,
      },
      answer: {
        data: { ...REFUND, narrative: null, merchant: null, actor: NETWORK_ACTOR },
      },
    },
  },
  createFunding: {
    description: "The float has the funds as soon as this is answered.",
    example: {
      body: { reference: "funding-8842", integrator_id: IDS.integrator, amount: 1_000_000 },
      answer: { data: FLOAT },
    },
  },
};
