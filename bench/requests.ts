import { randomBytes, randomUUID } from "node:crypto";
import type { Fixture } from "./fixture.ts";
import { toRequestBytes } from "./http-load.ts";

/** A credit of one minor unit. */
export function toCredit({
  key,
  cardId,
  idempotencyKey,
}: {
  key: string;
  cardId: string;
  idempotencyKey?: string;
}): Buffer {
  return toRequestBytes(
    "PATCH /api/cards/credit/balance",
    { key, body: JSON.stringify({ card_id: cardId, amount: 1 }) },
    idempotencyKey ? `Idempotency-Key: ${idempotencyKey}\r\n` : "",
  );
}

/** A credit of any of the account's cards, with a key of its own, 24 characters long. */
export function toCreditOnce({ apiKey, pickCard }: Pick<Fixture, "apiKey" | "pickCard">): Buffer {
  const idempotencyKey = randomBytes(12).toString("hex");
  return toCredit({ key: apiKey, cardId: pickCard(), idempotencyKey });
}

/** An authorization of one minor unit, by a card processor. */
export function toAuthorization({
  key,
  cardId,
  reference = randomUUID(),
}: {
  key: string;
  cardId: string;
  reference?: string;
}): Buffer {
  return toRequestBytes("POST /api/processor/authorizations", {
    key,
    body: JSON.stringify({
      reference,
      card_id: cardId,
      amount: 1,
      currency: "USD",
      narrative: "BLUE BOTTLE*OAK",
      merchant: { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" },
    }),
  });
}

/** A bulk job that credits each of these cards with one minor unit. */
export function toBulkCredit({
  key,
  cardIds,
}: {
  key: string;
  cardIds: readonly string[];
}): Buffer {
  return toRequestBytes("POST /api/bulk", { key, body: toBulkCreditBody(cardIds) });
}

/** The body of such a request. */
export function toBulkCreditBody(cardIds: readonly string[]): string {
  const items = cardIds.map((id) => ({ card_id: id, amount: 1 }));
  return JSON.stringify({ operation: "credit", items });
}

/** Each client freezes the card picked for it and unfreezes that card with its next request. */
export function toFreezes(
  key: string,
  pickCard: (client: number) => string,
): (client: number) => Buffer {
  const frozen = new Map<number, string>();
  return (client) => {
    const cardId = frozen.get(client);
    if (cardId) {
      frozen.delete(client);
      return toRequestBytes(`PATCH /api/cards/${cardId}/unfreeze`, { key });
    }
    const chosen = pickCard(client);
    frozen.set(client, chosen);
    return toRequestBytes(`PATCH /api/cards/${chosen}/freeze`, { key });
  };
}

/** Each client authorizes one minor unit and captures it with its next request. */
export function toCaptures(key: string, pickCard: () => string): (client: number) => Buffer {
  const authorized = new Map<number, { cardId: string; reference: string }>();
  return (client) => {
    const open = authorized.get(client);
    if (!open) {
      const purchase = { cardId: pickCard(), reference: randomUUID() };
      authorized.set(client, purchase);
      return toAuthorization({ key, ...purchase });
    }
    authorized.delete(client);
    return toRequestBytes("POST /api/processor/captures", {
      key,
      body: JSON.stringify({
        reference: randomUUID(),
        authorization_reference: open.reference,
        card_id: open.cardId,
        amount: 1,
        merchant: { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" },
      }),
    });
  };
}
