import { sql } from "drizzle-orm";
import { call } from "#test/scene/api-client.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { changeUnguarded, send, sendOwing } from "#test/scene/scene.ts";
import { replaceCard } from "#lib/operations/cards/replace-card.ts";

export const operation = replaceCard;

export const cases: Cases<typeof replaceCard> = {
  card_replaced: async (scene) => {
    await send(scene, "replaceCard");
    return send(scene, "replaceCard");
  },
  freeze_not_liftable: async ({ id, card, apiKey }) => {
    await call(`PATCH /cards/${card}/freeze`, { key: apiKey, body: { level: "compliance" } });
    const { key } = await newScopedKey(id, ["cards:write"]);
    return call(`POST /cards/${card}/replace`, { key, body: {} });
  },
  insufficient_float: (scene) => sendOwing(scene, "replaceCard"),
  single_use_spent: async (scene) => {
    await changeUnguarded(sql`
      update ledger_accounts set single_use = true where id = ${scene.card}`);
    await changeUnguarded(sql`update cards set single_use = true where id = ${scene.card}`);
    await send(scene, "mockTransaction", { body: { type: "authorize", amount: 1 } });
    return send(scene, "replaceCard");
  },
  user_archived: async (scene) => {
    await changeUnguarded(sql`
      update cardholders set archived = true where integrator_id = ${scene.id}`);
    return send(scene, "replaceCard");
  },
};
