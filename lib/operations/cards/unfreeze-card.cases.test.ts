import { call } from "#test/scene/api-client.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { unfreezeCard } from "#lib/operations/cards/unfreeze-card.ts";

export const operation = unfreezeCard;

export const cases: Cases<typeof unfreezeCard> = {
  freeze_not_liftable: async ({ id, card, apiKey }) => {
    await call(`PATCH /cards/${card}/freeze`, { key: apiKey, body: { level: "compliance" } });
    const { key } = await newScopedKey(id, ["cards:write"]);
    return call(`PATCH /cards/${card}/unfreeze`, {
      key,
      body: { level: "compliance" },
    });
  },
};
