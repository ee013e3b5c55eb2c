import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { BATCH_ROWS, eraseRows, repeatBatch } from "#lib/cards/internal/erasing.ts";
import type { Erasable, Erasing } from "#lib/cards/internal/erasing.ts";
import { ERASED_NAME } from "#lib/record/personal-values.ts";

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
  holds: sql`num_nonnulls(narrative, as_received) > 0`,
  set: sql`narrative = null, as_received = null`,
};

/** Of events, entries of the audit log, and changes of states. */
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
};

/**
 * Erases a cardholder's values where they are known to be: in cards, transactions, and records, and in what receivers of
 * webhooks have answered.
 * @returns whether it came to the end: not when another process erases.
 */
export async function eraseRecords(holder: Erasing, cardIds: readonly string[]): Promise<boolean> {
  const { db, integratorId, id } = holder;
  const sources: [Erasable, SQL][] = [
    [CARDS, sql`cards where cardholder_id = ${id}`],
    [VALUES, sql`personal_values where cardholder_id = ${id}`],
    [
      ATTEMPTS,
      sql`webhook_attempts join events on events.integrator_id = webhook_attempts.integrator_id and events.id = event_id
        where subject_type = 'cardholder' and subject_id = ${id}`,
    ],
    ...cardIds.flatMap((cardId): [Erasable, SQL][] => [
      [NARRATIVES, sql`transactions where card_id = ${cardId}`],
      [
        ATTEMPTS,
        sql`webhook_attempts join webhook_deliveries using (integrator_id, event_id) where card_id = ${cardId}`,
      ],
    ]),
  ];
  for (const [erasable, source] of sources) {
    const { name, table, holds } = erasable;
    const names = sql`
      select ${table}.${name} from ${source} and ${table}.integrator_id = ${integratorId} and ${holds}
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
