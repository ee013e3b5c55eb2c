import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { QueryBuilder } from "drizzle-orm/pg-core";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { runSelect } from "#db/compiled-select.ts";
import type { Tx } from "#db/transaction.ts";

/** Which accounts to select: an SQL array of their ids, and a name that identifies the statement. */
export interface Selection {
  name: string;
  ids: SQL;
}

const INTEGRATOR_ID = sql.placeholder("integratorId");
const IDS = sql`${sql.placeholder("ids")}::uuid[]`;
export const CARDS: Selection = { name: "cards", ids: IDS };
export const CARDS_AND_FLOAT: Selection = {
  name: "cards and float",
  ids: withSingle(sql`'float'`),
};
export const AND_DEFICIT: Selection = { name: "and deficit", ids: withSingle(sql`'deficit'`) };
export const ALL: Selection = { name: "all", ids: withSingle(sql`'deficit'`, CARDS_AND_FLOAT.ids) };

function withSingle(kind: SQL, ids = IDS): SQL {
  return sql`array_append(${ids}, (
    select id from ledger_accounts where integrator_id = ${INTEGRATOR_ID} and kind = ${kind}))`;
}

/** Which accounts of which integrator. */
export interface OfIntegrator {
  integratorId: string;
  ids: readonly string[];
}

/** Locks the selected accounts in the order that all code uses. */
export function selectForUpdate(tx: Tx, { name, ids }: Selection, of: OfIntegrator) {
  return runSelect(tx, {
    key: `lock ${name}`,
    build: (builder) => toSelect(builder, ids).for("no key update"),
    values: toValues(of),
  });
}

/** The selected accounts as they are, without locks. */
export function selectAsRead(tx: Tx, { name, ids }: Selection, of: OfIntegrator) {
  return runSelect(tx, {
    key: `read ${name}`,
    build: (builder) => toSelect(builder, ids),
    values: toValues(of),
  });
}

function toValues({ integratorId, ids }: OfIntegrator) {
  return { integratorId, ids: [...new Set(ids)] };
}

function toSelect(builder: QueryBuilder, ids: SQL) {
  return builder
    .select({
      id: ledgerAccounts.id,
      kind: sql<"card" | "float" | "deficit">`${ledgerAccounts.kind}`,
      currency: ledgerAccounts.currency,
      balance: sql<number>`${ledgerAccounts.balance}::float8`,
      held: sql<number>`${ledgerAccounts.held}::float8`,
      version: ledgerAccounts.version,
      eventSequence: ledgerAccounts.eventSequence,
      status: ledgerAccounts.status,
      singleUse: sql<boolean>`coalesce(${ledgerAccounts.singleUse}, false)`,
      expiresAt: ledgerAccounts.expiresAt,
      freezeDueAt: ledgerAccounts.freezeDueAt,
      spendingControls: ledgerAccounts.spendingControls,
      limitUses: ledgerAccounts.limitUses,
    })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.integratorId, INTEGRATOR_ID),
        sql`${ledgerAccounts.id} = any(${ids})`,
        sql`${ledgerAccounts.kind} in ('card', 'float', 'deficit')`,
      ),
    )
    .orderBy(ledgerAccounts.rank, ledgerAccounts.id);
}
