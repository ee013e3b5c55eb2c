import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { isWithin } from "#lib/base/period.ts";
import type { FloatKind } from "#lib/funds/float-kinds.ts";

/** Which transfers of the float to find. `from` is inclusive, `to` and `before`, a transfer, are exclusive. */
export interface FloatTransferFilter {
  kind?: FloatKind | undefined;
  cardId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  before?: { id: string; at: Date } | undefined;
}

/**
 * A query for the ids of the newest transfers of a kind, of a card, or both.
 *
 * Transfers are indexed by kind, except credits and purchases, which are too frequent to be indexed twice. Every move
 * between the float and a card, such as a credit, is also a transaction, which is found by its type or card.
 */
export function selectFloatTransfers(
  { actor: { integratorId } }: ReadContext,
  filter: FloatTransferFilter,
  rowsMax: number,
): SQL {
  const { kind, cardId, before } = filter;
  if (cardId === undefined && kind !== undefined && kind !== "card_credit") {
    return sql`
      select id from transfers where integrator_id = ${integratorId} and ${IS_KIND[kind]}
        and ${isWithin(sql`id`, filter) ?? sql`true`} and ${before ? sql`id < ${before.id}::uuid` : sql`true`}
      order by id desc limit ${rowsMax}::int`;
  }
  // Ids of the same moment have no order across the two tables, so a transaction is compared by its transfer's id.
  const period = {
    ...filter,
    to: toEarlier(filter.to, before && new Date(before.at.getTime() + 1)),
  };
  return sql`
    select transfer_id as id from transactions
    where integrator_id = ${integratorId} and ${isOfCard(cardId)} and ${isOfType(kind)}
      and ${isWithin(sql`id`, period) ?? sql`true`} and ${before ? sql`transfer_id < ${before.id}::uuid` : sql`true`}
    order by transactions.id desc limit ${rowsMax}::int`;
}

/** Literals: a plan can use a partial index only for a kind that it knows. */
const IS_KIND: Readonly<Record<FloatKind, SQL>> = {
  float_top_up: sql`kind = 'float_top_up'`,
  card_credit: sql`kind = 'card_credit'`,
  card_debit: sql`kind = 'card_debit'`,
  card_sweep: sql`kind = 'card_sweep'`,
  cover: sql`kind = 'cover'`,
  cover_return: sql`kind = 'cover_return'`,
  deficit_repayment: sql`kind = 'deficit_repayment'`,
};

function isOfCard(cardId: string | undefined): SQL {
  return cardId === undefined ? sql`status = 'settled'` : sql`card_id = ${cardId}`;
}

function isOfType(kind: FloatKind | undefined): SQL {
  if (kind === undefined) {
    return sql`type in ('credit', 'debit') and (cover_of is null or ${TRANSFER_KIND} <> 'deficit_cover')`;
  }
  if (kind === "card_credit") {
    return sql`type = 'credit' and cover_of is null`;
  }
  return sql`type = ${kind === "cover" ? "credit" : "debit"} and ${TRANSFER_KIND} = ${kind}`;
}

const TRANSFER_KIND = sql`(
  select kind from transfers t
  where t.integrator_id = transactions.integrator_id and t.id = transactions.transfer_id
)`;

function toEarlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other && other < one ? other : (one ?? other);
}
