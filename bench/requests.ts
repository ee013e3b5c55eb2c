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
export function toAuthorization({ key, cardId }: { key: string; cardId: string }): Buffer {
  return toRequestBytes("POST /api/processor/authorizations", {
    key,
    body: JSON.stringify({
      reference: randomUUID(),
      card_id: cardId,
      amount: 1,
      currency: "USD",
      narrative: "BLUE BOTTLE*OAK",
      merchant: { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" },
    }),
  });
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
