import { call } from "#test/scene/api-client.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { freezeCard } from "#lib/operations/cards/freeze-card.ts";

export const operation = freezeCard;

export const cases: Cases<typeof freezeCard> = {
  freeze_not_liftable: async ({ id, card, apiKey }) => {
    await call(`PATCH /cards/${card}/freeze`, { key: apiKey, body: { level: "compliance" } });
    const { key } = await newScopedKey(id, ["cards:write"]);
    return call(`PATCH /cards/${card}/freeze`, {
      key,
      body: { until: new Date(Date.now() + 60_000).toISOString(), level: "compliance" },
    });
  },
};
