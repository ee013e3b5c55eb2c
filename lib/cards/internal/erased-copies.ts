import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { BATCH_ROWS, eraseRows, repeatBatch } from "#lib/cards/internal/erasing.ts";
import type { Erasable, Erasing } from "#lib/cards/internal/erasing.ts";
import { holdsPersonal } from "#lib/record/personal-values.ts";

/**
 * Erases copies of answers and events, which are kept for a while: saved answers, the bodies in the API log, and what a
 * sandbox inbox received. No column says whom they are about, so each is read. A copy that names the cardholder or one
 * of their cards, and holds a personal value, is erased as a whole.
 * @returns whether it finished. False if another process is erasing.
 */
export async function eraseCopies(holder: Erasing, cardIds: readonly string[]): Promise<boolean> {
  const ids: ReadonlySet<string> = new Set([holder.id, ...cardIds]);
  for (const copies of COPIES) {
    if (!(await eraseHeld(holder, copies, (text) => holdsValuesOf(ids, text)))) {
      return false;
    }
  }
  return true;
}

/** A table of copies, and what to read of each. */
export interface Copies extends Erasable {
  text: SQL;
  /** A value below every name. */
  lowest: string;
}

export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

export const SAVED_ANSWERS: Copies = {
  text: sql`body`,
  table: sql`idempotent_requests`,
  name: sql`key`,
  type: sql`text`,
  lowest: "",
  holds: sql`body is not null`,
  // The key stays, so that a repeat of the request moves nothing. The fingerprint goes, because the request could be
  // guessed from it.
  set: sql`body = null, fingerprint = ''`,
};

const COPIES: readonly Copies[] = [
  SAVED_ANSWERS,
  {
    text: sql`'[' || request || ',' || response || ']'`,
    table: sql`api_log_bodies`,
    name: sql`id`,
    type: sql`uuid`,
    lowest: LOWEST_ID,
    holds: sql`true`,
    set: null,
  },
  {
    text: sql`body`,
    table: sql`inbox_notifications`,
    name: sql`id`,
    type: sql`uuid`,
    lowest: LOWEST_ID,
    holds: sql`true`,
    set: null,
  },
];

/**
 * Erases a table's texts that hold a value of the cardholder. @returns whether it finished. False if another
 * process is erasing.
 */
export function eraseHeld(
  holder: Erasing,
  copies: Copies,
  holdsValue: (text: string) => boolean,
): Promise<boolean> {
  const { text, table, name, type, holds, lowest } = copies;
  return repeatBatch(holder.db, async (tx, after) => {
    const rows = await tx.execute<{ name: string; text: string }>(sql`
      select ${name} as name, ${text} as text from ${table}
      where integrator_id = ${holder.integratorId} and ${holds}
        and ${name} > ${after || lowest}::${type}
      order by ${name} limit ${BATCH_ROWS}`);
    const held = rows.filter((row) => holdsValue(row.text)).map((row) => row.name);
    const names = sql`select unnest(${sql.param(held)}::${type}[])`;
    await eraseRows(tx, holder, { ...copies, names });
    return rows.length === BATCH_ROWS ? (rows.at(-1)?.name ?? null) : null;
  });
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

function holdsValuesOf(ids: ReadonlySet<string>, text: string): boolean {
  return (text.match(ID) ?? []).some((id) => ids.has(id)) && holdsPersonalText(text);
}

/** Text that is not JSON was not written by us, and may hold anything. */
function holdsPersonalText(text: string): boolean {
  try {
    return holdsPersonal(JSON.parse(text));
  } catch {
    return true;
  }
}
