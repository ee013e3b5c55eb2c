import { randomInt } from "node:crypto";
import postgres from "postgres";
import { KEY_SCOPES } from "#lib/actor.ts";
import type { Member } from "#lib/actor.ts";
import { createScaledBooks } from "./scaled-books.ts";
import type { Scale } from "./scaled-books.ts";
import type { Stage } from "./stage.ts";

/** An integrator with cards, and how the cases act for it. */
export interface Cast {
  integratorId: string;
  apiKey: string;
  actor: Member;
  cardIds: readonly string[];
  /** The newest card but one half of them, with what a list can be asked for. */
  middle: { id: string; name: string; last4: string; cardholderId: string };
  pickCard(): string;
}

/** Makes an integrator of this size; the books balance. */
export async function hire(stage: Stage, scale: Scale): Promise<Cast> {
  const { integratorId, apiKey } = await createScaledBooks(stage.database, scale, {
    unguarded: true,
  });
  const sql = postgres(stage.database.ownerUrl, { max: 1, onnotice: () => undefined });
  const rows = await sql<{ id: string; name: string; last4: string; cardholderId: string }[]>`
    select id, card_name as name, last4, cardholder_id as "cardholderId" from cards
    where integrator_id = ${integratorId} order by id`;
  await sql.end();
  const middle = rows[Math.floor(rows.length / 2)];
  if (!middle) {
    throw new Error("An integrator without cards was made.");
  }
  const cardIds = rows.map(({ id }) => id);
  return {
    integratorId,
    apiKey,
    actor: {
      kind: "member",
      integratorId,
      scopes: new Set(KEY_SCOPES),
      ref: { type: "system", id: null, name: "Bench" },
    },
    cardIds,
    middle,
    pickCard: () => cardIds[randomInt(cardIds.length)] ?? middle.id,
  };
}
