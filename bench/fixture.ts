import { randomInt } from "node:crypto";
import postgres from "postgres";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import type { Member } from "#lib/base/actor.ts";
import { createApiKey } from "#lib/access/api-keys.ts";
import type { NewApiKey } from "#lib/access/api-keys.ts";
import { openDatabase } from "#db/client.ts";
import { inTransaction } from "#db/transaction.ts";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import type { Scale, Target } from "#test/database/scaled-books.ts";

/** An integrator with cards, and what the cases need to send requests for it. */
export interface Fixture {
  integratorId: string;
  apiKey: string;
  /** The owner's credentials for the dashboard. */
  email: string;
  password: string;
  /** A card processor's key. It may act on any integrator's cards. */
  processor: { id: string; key: string };
  actor: Member;
  cardIds: readonly string[];
  /** The card in the middle of the list, with values to search for, and a word from a transaction in the middle. */
  middle: { id: string; name: string; last4: string; cardholderId: string; word: string };
  pickCard: () => string;
  /** One of a hundred cards, spread over all of them, that are requested repeatedly. */
  pickFamiliarCard: () => string;
  /** A card on which an authorization is approved. */
  pickSpendableCard: () => string;
}

/** An integrator with the session cookies of its owner. */
export type Asker = Fixture & { cookies: string };

interface CardRow {
  id: string;
  name: string;
  last4: string;
  cardholderId: string;
  spendable: boolean;
}

/** More than any case spends from one card. */
const SPENDABLE_MIN = 100;

const FAMILIAR = 100;

/** Creates a key for an integrator, or a card processor's key for none. */
export async function newKey(
  { appUrl }: Pick<Target, "appUrl">,
  { integratorId, scopes }: Pick<NewApiKey, "integratorId" | "scopes">,
): Promise<Fixture["processor"]> {
  const opened = openDatabase(appUrl, { max: 1 });
  try {
    return await inTransaction(opened.db, (tx) =>
      createApiKey(tx, {
        integratorId,
        environment: "sandbox",
        name: "Bench",
        scopes,
        expiresAt: null,
        createdBy: "bench",
      }),
    );
  } finally {
    await opened.close();
  }
}

/** Creates an integrator of this size. Its books balance. */
export async function createFixture(
  { database }: { database: Target },
  scale: Scale,
): Promise<Fixture> {
  const { integratorId, apiKey, email, password } = await createScaledBooks(database, scale, {
    unguarded: true,
  });
  const processor = await newKey(database, { integratorId: null, scopes: ["processor"] });
  const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  const rows = await sql<CardRow[]>`
    select c.id, card_name as name, last4, cardholder_id as "cardholderId",
      a.status = 'active' and a.balance - a.held >= ${SPENDABLE_MIN} as spendable
    from cards c join ledger_accounts a on a.integrator_id = c.integrator_id and a.id = c.id
    where c.integrator_id = ${integratorId} order by c.id`;
  const [labeled] = await sql<{ narrative: string }[]>`
    select narrative from transactions where integrator_id = ${integratorId} and narrative is not null
    order by id limit 1 offset ${Math.floor((scale.cards * scale.transactionsPerCard) / 4)}`;
  await sql.end();
  const middle = rows[Math.floor(rows.length / 2)];
  if (!middle) {
    throw new Error("The new integrator has no cards.");
  }
  const cardIds = rows.map(({ id }) => id);
  const spendable = rows.filter((row) => row.spendable).map(({ id }) => id);
  return {
    integratorId,
    apiKey,
    email,
    password,
    processor,
    actor: {
      kind: "member",
      integratorId,
      scopes: new Set(KEY_SCOPES),
      ref: { type: "system", id: null, name: "Bench" },
    },
    cardIds,
    middle: { ...middle, word: labeled?.narrative.split(" ").at(-1) ?? middle.name },
    pickCard: () => cardIds[randomInt(cardIds.length)] ?? middle.id,
    pickFamiliarCard: () =>
      cardIds[Math.floor((randomInt(FAMILIAR) * cardIds.length) / FAMILIAR)] ?? middle.id,
    pickSpendableCard: () => spendable[randomInt(spendable.length)] ?? middle.id,
  };
}
