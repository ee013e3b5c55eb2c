import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";

/** A refund to a replaced card, which went to the float. */
export interface StrayRefund {
  transactionId: string;
  amount: number;
  currency: string;
  at: Date;
  /** The replaced card. */
  cardName: string;
  last4: string;
  /** The card that replaced it, which can be credited instead. */
  replacementId: string;
}

const DAY_MS = 24 * 3_600_000;
/** For how many days a refund counts as a need. */
const DAYS = 14;
/** How many refunds are looked at, the newest first. */
const LOOKED_AT = 200;

/**
 * Refunds of the last two weeks to replaced cards, until the card that replaced each has been credited, or a person has
 * written a note on the refund's card.
 */
export async function listStrayRefunds(
  { db, actor: { integratorId } }: ReadContext,
  now: Date,
): Promise<StrayRefund[]> {
  const first = firstIdAt(now.getTime() - DAYS * DAY_MS);
  const rows = await db.execute<Omit<StrayRefund, "at"> & { at: string }>(sql`
    select refund.id as "transactionId", refund.amount::float8 as amount, refund.currency, refund.created_at as at,
      card.card_name as "cardName", card.last4, card.replaced_by as "replacementId"
    from (
      select id, card_id, amount, currency, created_at from transactions
      where integrator_id = ${integratorId} and type = 'deduct-reversal' and status = 'settled' and id >= ${first}::uuid
      order by id desc limit ${LOOKED_AT}::int
    ) as refund
    join cards card on card.integrator_id = ${integratorId} and card.id = refund.card_id
      and card.replaced_by is not null and card.replaced_by < refund.id
    where not exists (
      select from transactions credit
      where credit.integrator_id = ${integratorId} and credit.card_id = card.replaced_by
        and credit.id > refund.id and credit.type = 'credit'
    ) and not exists (
      select from audit_log note
      where note.integrator_id = ${integratorId} and note.target_id = card.id and note.action = 'card.noted'
        and note.id > refund.id and note.actor ->> 'type' = 'staff'
    )
    order by refund.id desc`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
