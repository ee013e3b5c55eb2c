import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { firstIdAt, toTimeOfId } from "#lib/base/ids.ts";
import type { Meaning } from "#lib/record/internal/audit-meanings.ts";
import { transactions } from "#db/schema/transactions.ts";
import { auditLog } from "#db/schema/events.ts";

/** Moves of funds without a row in the audit log: the action of each, and the type of its transaction. */
export const MOVES = [
  { action: "card.credited", type: "credit" },
  { action: "card.debited", type: "debit" },
] as const;

/** Rows that an index finds for each of these keys, in the order of their ids. */
export interface Branch {
  keys: readonly string[];
  /** The condition on the rows of one key. The statement calls the key `key.value`. */
  on: SQL;
  /** How many rows a key has, compared with other branches: a guess. */
  weight: number;
  /** Whether every row of the branch matches, without a further filter. */
  isExact: boolean;
}

/** A table with entries of the audit log. */
export interface Source {
  /** Selects its rows as entries. The action is null for a row that is no entry. */
  rows: SQL;
  id: AnyPgColumn;
  /** The branches to search for the entries with a meaning. */
  toBranches: (meaning: Meaning) => readonly Branch[];
}

const AUDIT_LOG: Source = {
  id: auditLog.id,
  rows: sql`select id, actor, action, target_id, request_id from ${auditLog}`,
  toBranches: (meaning) =>
    isAnywhere(meaning)
      ? [toRows(sql`true`, ANYWHERE)]
      : [
          toRowsOf(meaning.recordIds, sql`target_id = key.value::uuid`, 1),
          toRowsOf(meaning.staffIds, IS_PERSON, 100),
          toRowsOf(meaning.actions, sql`action = key.value`, 10_000),
          toRowsOf(meaning.isRefused ? ["refused"] : [], sql`action like '%refused'`, 10_000),
          ...toRowsOfId(meaning),
        ],
};

const IS_PERSON = sql`actor ->> 'id' = key.value and actor ->> 'type' = 'staff'`;

const MOVE_ACTION = sql.join(
  MOVES.map(
    ({ action, type }) =>
      sql`when type = ${type} and status = 'settled' and actor ->> 'type' = 'api_key' then ${action}`,
  ),
  sql` `,
);

const TRANSACTIONS: Source = {
  id: transactions.id,
  rows: sql`
    select id, actor, case ${MOVE_ACTION} end as action, card_id as target_id, request_id
    from ${transactions}`,
  toBranches: (meaning) => {
    const ofTypes = MOVES.filter(
      ({ action }) => isAnywhere(meaning) || meaning.actions.includes(action),
    ).map(({ type }) => toRows(sql`type = ${type} and status = 'settled'`, ANYWHERE));
    const ofCards = toRowsOf(meaning.recordIds, sql`card_id = key.value::uuid`, 1);
    return isAnywhere(meaning)
      ? ofTypes
      : [...ofTypes, { ...ofCards, isExact: false }, ...toRowsOfId(meaning)];
  },
};

export const SOURCES = [AUDIT_LOG, TRANSACTIONS];

/** Heavier than any branch with keys. */
const ANYWHERE = 1_000_000_000;

/** Whether no index helps: for entries by API keys, which are too many, or about the records with a common name. */
function isAnywhere({ keyIds, name }: Meaning): boolean {
  return keyIds.length > 0 || name !== undefined;
}

function toRowsOf(keys: readonly string[], on: SQL, weight: number): Branch {
  return { keys, on, weight, isExact: true };
}

function toRows(on: SQL, weight: number): Branch {
  return { keys: [""], on, weight, isExact: false };
}

/** How far the database's clock may be from the clock of the process that made a request's id. */
const CLOCKS_APART_MS = 30_000;

/** The row with this id, and the rows from the time when a request with this id was made. */
function toRowsOfId({ id }: Meaning): Branch[] {
  if (id === undefined) {
    return [];
  }
  const own = toRowsOf([id], sql`id = key.value::uuid`, 1);
  const at = toTimeOfId(id);
  if (at === undefined) {
    return [own];
  }
  const [from, to] = [firstIdAt(at - CLOCKS_APART_MS), firstIdAt(at + CLOCKS_APART_MS)];
  return [own, toRows(sql`id between ${from}::uuid and ${to}::uuid`, 1)];
}
