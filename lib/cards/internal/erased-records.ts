import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { BATCH_ROWS, eraseRows, repeatBatch } from "#lib/cards/internal/erasing.ts";
import type { Erasable, Erasing } from "#lib/cards/internal/erasing.ts";
import { ERASED_NAME } from "#lib/record/personal-values.ts";
import { HOLDS_FREEZES } from "#db/schema/bulk.ts";

const UUID = sql`uuid`;

const CARDS: Erasable = {
  table: sql`cards`,
  name: sql`id`,
  type: UUID,
  holds: sql`(card_name <> ${ERASED_NAME} or metadata <> '{}' or freezes is not null)`,
  set: sql`card_name = ${ERASED_NAME}, metadata = '{}', freezes = null`,
};

const NARRATIVES: Erasable = {
  table: sql`transactions`,
  name: sql`id`,
  type: UUID,
  holds: sql`(num_nonnulls(narrative, as_received) > 0 or authorized_as <> without_words(authorized_as))`,
  set: sql`narrative = null, as_received = null, authorized_as = without_words(authorized_as)`,
};

/** Messages of the card network that are not in the books. No column says whose they are. */
const MESSAGES: Erasable = {
  table: sql`unmatched_facts`,
  name: sql`id`,
  type: UUID,
  holds: sql`personal is not null`,
  set: sql`personal = null`,
  isOf: () => sql`true`,
};

/** The messages kept there that name a card or one of its authorizations. They are few. */
const messagesOf = (
  integratorId: string,
  cardId: string,
) => sql`unmatched_facts where (card_id = ${cardId} or exists (
  select from processor_operations p join transactions t on t.integrator_id = p.integrator_id and t.id = p.transaction_id
  where p.operation = 'createAuthorization' and t.integrator_id = ${integratorId} and t.card_id = ${cardId}
    and (p.reference = unmatched_facts.authorization_reference or p.transaction_id = unmatched_facts.authorization_id)))`;

/** The freezes that bulk jobs replaced or restored. */
const BULK_FREEZES: Erasable = {
  table: sql`bulk_items`,
  name: sql`card_id`,
  type: UUID,
  holds: HOLDS_FREEZES,
  set: sql`restores = null, replaced = null`,
};

/** Requests for approval. One that still waits can no longer be performed. */
const APPROVALS: Erasable = {
  table: sql`approvals`,
  name: sql`id`,
  type: UUID,
  holds: sql`num_nonnulls(request, comment) > 0`,
  set: sql`request = null, comment = null, status = case status when 'waiting' then 'canceled' else status end,
    decided_at = coalesce(decided_at, clock_timestamp())`,
};

/** The values of events, entries of the audit log, and changes of states. */
const VALUES: Erasable = {
  table: sql`personal_values`,
  name: sql`record_id`,
  type: UUID,
  holds: sql`true`,
  set: null,
};

/** A receiver of webhooks may answer with what it was sent. */
const ATTEMPTS: Erasable = {
  table: sql`webhook_attempts`,
  name: sql`event_id`,
  type: UUID,
  holds: sql`(response_headers is not null or response_body is not null)`,
  set: sql`response_headers = null, response_body = null`,
  isOf: (integratorId) =>
    sql`endpoint_id = any(array(select id from webhook_endpoints where integrator_id = ${integratorId}))`,
};

/**
 * Erases a cardholder's values where rows say whom they are about: cards, transactions, records, and the answers of
 * webhook receivers.
 * @returns whether it finished. False if another process is erasing.
 */
export async function eraseRecords(holder: Erasing, cardIds: readonly string[]): Promise<boolean> {
  const { db, integratorId, id } = holder;
  const sources: [Erasable, SQL][] = [
    [CARDS, sql`cards where integrator_id = ${integratorId} and cardholder_id = ${id}`],
    [VALUES, sql`personal_values where integrator_id = ${integratorId} and cardholder_id = ${id}`],
    [
      ATTEMPTS,
      sql`webhook_endpoints join events using (integrator_id)
        join webhook_attempts on endpoint_id = webhook_endpoints.id and event_id = events.id
        where integrator_id = ${integratorId} and subject_type = 'cardholder' and subject_id = ${id}`,
    ],
    ...cardIds.flatMap((cardId): [Erasable, SQL][] => [
      [NARRATIVES, sql`transactions where integrator_id = ${integratorId} and card_id = ${cardId}`],
      [MESSAGES, messagesOf(integratorId, cardId)],
      [BULK_FREEZES, sql`bulk_items where integrator_id = ${integratorId} and card_id = ${cardId}`],
      [
        APPROVALS,
        sql`approvals where integrator_id = ${integratorId} and (card_id = ${cardId}
          or request -> 'items' @> ${JSON.stringify([{ card_id: cardId }])}::jsonb)`,
      ],
      [
        ATTEMPTS,
        sql`webhook_endpoints join webhook_deliveries on endpoint_id = webhook_endpoints.id
          join webhook_attempts using (endpoint_id, event_id)
          where integrator_id = ${integratorId} and card_id = ${cardId}`,
      ],
    ]),
  ];
  for (const [erasable, source] of sources) {
    const { name, table, holds } = erasable;
    const names = sql`
      select ${table}.${name} from ${source} and ${holds}
      limit ${BATCH_ROWS}`;
    const isAtEnd = await repeatBatch(db, async (tx) =>
      (await eraseRows(tx, holder, { ...erasable, names })) >= BATCH_ROWS ? "" : null,
    );
    if (!isAtEnd) {
      return false;
    }
  }
  return true;
}
