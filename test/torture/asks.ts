import { CARDHOLDER } from "#test/scene/people.ts";
import type { RequestName } from "./operations.ts";
import type { Ask } from "./send.ts";

/** The requests of an integrator's programs and of the card network, before they are sent. Amounts in minor units. */

/** No card expires during a run, whose clock jumps. */
const VALID_DAYS = 1_825;

/** What the network says of what it clears: not what the authorization said. */
const CLEARED = { narrative: "CLEARED", occurred_at: "2026-01-31T10:00:00Z" };

type Simulation =
  | "deduct"
  | "authorize"
  | "verification"
  | "increment"
  | "capture"
  | "posting"
  | "reversal"
  | "expire"
  | "refund"
  | "deduct-reversal";

/** @param place the path, and the card in it when the body names none. */
export function change(
  operation: RequestName,
  place: string | [path: string, cardId: string],
  body: Record<string, unknown>,
): Ask {
  const [path, cardId = body["card_id"]] = typeof place === "string" ? [place] : place;
  const amount = body["amount"];
  return {
    operation,
    method: "PATCH",
    path,
    body,
    ...(typeof cardId === "string" ? { cardId } : {}),
    ...(typeof amount === "number" ? { amount } : {}),
  };
}

/** A change without a card, by POST. */
export function post(
  operation: RequestName,
  path: string,
  rest: Pick<Ask, "body" | "target" | "marker" | "repeat"> = {},
): Ask {
  return { operation, method: "POST", path, ...rest };
}

export function remove(operation: RequestName, path: string, target: string): Ask {
  return { operation, method: "DELETE", path, target };
}

export function read(operation: RequestName, path: string): Ask {
  return { operation, method: "GET", path };
}

export function credit(cardId: string, amount: number): Ask {
  return change("credit", "/cards/credit/balance", { card_id: cardId, amount });
}

export function mock(
  type: Simulation,
  cardId: string,
  body: { amount?: number; transaction_id?: string },
): Ask {
  return {
    ...change(type, [`/cards/${cardId}/mock-transaction`, cardId], { type, ...body }),
    method: "POST",
  };
}

export function authorizeByNetwork(cardId: string, amount: number): Ask {
  return {
    ...change("network_authorize", "/processor/authorizations", {
      card_id: cardId,
      amount,
      currency: "USD",
    }),
    method: "POST",
  };
}

export function postByNetwork(cardId: string, amount: number): Ask {
  const body = { card_id: cardId, amount, ...CLEARED };
  return { ...change("network_posting", "/processor/captures", body), method: "POST" };
}

/** @param of what the refund is for, as the network names it; nothing for a refund that stands by itself. */
export function refundByNetwork(cardId: string, amount: number, of: Record<string, unknown>): Ask {
  const body = { card_id: cardId, amount, ...of };
  return { ...change("network_refund", "/processor/refunds", body), method: "POST" };
}

/** What the network has reported under a reference of its own, or is about to. */
export interface Reported {
  reference: string;
  kind: "posting" | "refund";
  cardId: string;
  amount: number;
}

/** Takes back what the network has reported. Once only: each request counts. */
export function takeBack({ reference, kind, cardId, amount }: Reported): Ask {
  const operation = kind === "refund" ? "network_refund_taken_back" : "network_purchase_taken_back";
  const body = { original_reference: reference, original_kind: kind };
  return { ...post(operation, "/processor/reversals", { body }), cardId, amount };
}

export function fund(integratorId: string, amount: number): Ask {
  const body = { integrator_id: integratorId, amount };
  return { ...change("funding", "/processor/funding", body), method: "POST" };
}

/** What the network does with an authorization later. Whichever of them ends it first decides about the rest. */
export function later(
  { id, cardId, operation }: { id: string; cardId: string; operation: string },
  which: number,
): Ask[] {
  const path = `/processor/authorizations/${id}`;
  const acts: Ask[] =
    operation === "authorize"
      ? [
          mock("increment", cardId, { transaction_id: id, amount: 1 + which }),
          mock("capture", cardId, { transaction_id: id, amount: 1 + which }),
          mock("reversal", cardId, { transaction_id: id }),
          mock("expire", cardId, { transaction_id: id }),
        ]
      : [
          {
            ...change("network_increment", [`${path}/increments`, cardId], { amount: 1 + which }),
            method: "POST",
          },
          {
            ...change("network_capture", [`${path}/captures`, cardId], {
              amount: 1 + which,
              final: which % 2 === 0,
              ...CLEARED,
            }),
            method: "POST",
          },
          { ...change("network_reversal", [`${path}/reversals`, cardId], {}), method: "POST" },
        ];
  return acts.slice(which % acts.length, (which % acts.length) + 1);
}

/** Writes the marker into a card's metadata. */
export function label(cardId: string, marker: string): Ask {
  const body = { metadata: { note: marker } };
  return { ...change("metadata", [`/cards/${cardId}`, cardId], body), target: cardId, marker };
}

/** Writes a note on a card, with the marker as the comment. */
export function note(cardId: string, marker: string): Ask {
  return {
    ...post("note", `/cards/${cardId}/notes`, {
      body: { comment: marker },
      target: cardId,
      marker,
    }),
    cardId,
  };
}

/** Closes a card, with the marker as the comment. */
export function closeCard(cardId: string, marker: string): Ask {
  return {
    ...post("closeCard", `/cards/${cardId}/close`, {
      body: { comment: marker },
      target: cardId,
      marker,
    }),
    cardId,
  };
}

/** Replaces a card with its balance, with the marker as the comment. */
export function replaceCard(cardId: string, marker: string): Ask {
  return {
    ...post("replaceCard", `/cards/${cardId}/replace`, {
      body: { comment: marker, move_balance: true },
      target: cardId,
      marker,
    }),
    cardId,
  };
}

export function registerUser(integratorId: string, marker: string): Ask {
  return post("register_user", `/card-integrators/${integratorId}/register-user`, {
    body: { ...CARDHOLDER, email: `${marker}@northwind.example` },
    marker,
  });
}

export function issueCard(userId: string): Ask {
  return post("issue", "/cards/create-virtual-card", {
    body: {
      user_id: userId,
      currency: "USD",
      design_type: "midnight",
      single_use: false,
      validity: VALID_DAYS,
    },
  });
}

/** Has notifications sent to another address, or nowhere; the account's address becomes the marker. */
export function moveWebhooks(url: string | null, marker: string): Ask {
  const body = { webhook_url: url, business_address: marker };
  const operation = url === null ? "switch_webhooks_off" : "move_webhooks";
  return { ...change(operation, "/card-integrators/update", body), marker };
}
