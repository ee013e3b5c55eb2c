import { and, eq, inArray } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { cards } from "#db/schema/cards.ts";
import { apiKeys, cardholders } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";

const LAST_FOUR = /^[0-9]{4}$/u;

/** Matches cards by a word of a search: four digits match the end of a card's number; other words, the name on it. */
export function matchCard(
  word: string,
  isIn: (text: typeof cards.cardName) => SQL | undefined,
): SQL | undefined {
  return LAST_FOUR.test(word) ? eq(cards.last4, word) : isIn(cards.cardName);
}

/** A record that an event or an audit entry is about. */
export interface RecordRef {
  type: string;
  id: string;
}

/**
 * Reads the display names of records, by id: `Ada Winter •••• 5651` for a card. The account, the float, and records
 * that do not exist have no names.
 */
export async function readNames(
  ctx: ReadContext,
  records: readonly RecordRef[],
): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(
    Object.entries(NAMED).map(async ([type, read]) => {
      const ids = new Set(records.flatMap((record) => (record.type === type ? record.id : [])));
      return ids.size === 0 ? [] : await read(ctx, [...ids]);
    }),
  );
  return new Map(named.flat());
}

type Names = readonly (readonly [id: string, name: string])[];

const NAMED: Readonly<Record<string, (ctx: ReadContext, ids: string[]) => Promise<Names>>> = {
  card: async ({ db, actor }, ids) => {
    const rows = await db
      .select({ id: cards.id, name: cards.cardName, last4: cards.last4 })
      .from(cards)
      .where(and(eq(cards.integratorId, actor.integratorId), inArray(cards.id, ids)));
    return rows.map(({ id, name, last4 }) => [id, `${name} •••• ${last4}`]);
  },
  cardholder: ({ db, actor }, ids) =>
    db
      .select({ id: cardholders.id, first: cardholders.firstName, last: cardholders.lastName })
      .from(cardholders)
      .where(and(eq(cardholders.integratorId, actor.integratorId), inArray(cardholders.id, ids)))
      .then(toFullNames),
  staff: ({ db, actor }, ids) =>
    db
      .select({ id: staff.id, first: staff.firstName, last: staff.lastName })
      .from(staff)
      .where(and(eq(staff.integratorId, actor.integratorId), inArray(staff.id, ids)))
      .then(toFullNames),
  api_key: async ({ db, actor }, ids) => {
    const rows = await db
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.integratorId, actor.integratorId), inArray(apiKeys.id, ids)));
    return rows.map(({ id, name }) => [id, name]);
  },
};

function toFullNames(rows: readonly { id: string; first: string; last: string }[]): Names {
  return rows.map(({ id, first, last }) => [id, `${first} ${last}`]);
}
