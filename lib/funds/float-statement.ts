import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { COUNTED_MAX, requireVersionCursor, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { getFloat } from "#lib/funds/float.ts";
import { FLOAT_KINDS } from "#lib/funds/float-kinds.ts";
import type { FloatKind } from "#lib/funds/float-kinds.ts";
import { findLine, findVersionRange } from "#lib/funds/internal/float-range.ts";
import { selectFloatTransfers } from "#lib/funds/internal/float-transfers.ts";
import { transactions } from "#db/schema/cards.ts";
import { entries, transfers } from "#db/schema/ledger.ts";

/** One line of the float's statement. `amount` is signed: positive for incoming funds. Minor units. */
export interface FloatEntry {
  transferId: string;
  kind: FloatKind;
  amount: number;
  currency: string;
  balanceAfter: number;
  /** Numbers the float's entries from 1 without a gap. */
  version: number;
  /** The card on the other side. Null for a top-up and a repayment. */
  cardId: string | null;
  /** The text that came with a credit or debit, as sent; null if there was none. */
  narrative: string | null;
  requestId: string;
  createdAt: Date;
}

/** Which lines to list. `from` is inclusive, `to` is exclusive. */
export interface FloatFilter {
  kind?: FloatKind | undefined;
  cardId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  cursor?: string | undefined;
}

/**
 * The float's statement, newest first, in the order in which the ledger posted it.
 * @throws DomainError `validation_failed` for a cursor that no list has returned.
 */
export async function listFloatEntries(
  ctx: ReadContext,
  { limit, ...filter }: FloatFilter & { limit: number },
): Promise<Page<FloatEntry>> {
  const [, { id: floatId }] = await Promise.all([planByIndex(ctx), getFloat(ctx)]);
  const matched = await selectMatched(ctx, { floatId, filter, rowsMax: limit + 1 });
  const rows = await selectLines(ctx, floatId, matched);
  return toPage(rows.map(toFloatEntry), limit, ({ version }) => String(version));
}

/** How many lines match the filter from its cursor on. Always exact without a kind and a card, otherwise up to a bound. */
export async function countFloatEntries(ctx: ReadContext, filter: FloatFilter): Promise<Count> {
  const [, { id: floatId }] = await Promise.all([planByIndex(ctx), getFloat(ctx)]);
  if (!isByTransfer(filter)) {
    const { after, through } = await findRange(ctx, floatId, filter);
    return { rows: Math.max(0, through - after), isExact: true };
  }
  const matched = await selectMatched(ctx, { floatId, filter, rowsMax: COUNTED_MAX });
  const [row] = await ctx.db.execute<{ rows: number }>(
    sql`select count(*)::float8 as rows from (${matched}) as matched`,
  );
  return toCount(row?.rows ?? 0);
}

/**
 * Otherwise, the filter has only dates. The lines are numbered in the order of time, so dates select a range of them.
 */
function isByTransfer({ kind, cardId }: FloatFilter): boolean {
  return kind !== undefined || cardId !== undefined;
}

function findRange(ctx: ReadContext, floatId: string, { from, to, cursor }: FloatFilter) {
  return findVersionRange(ctx, floatId, { from, to, before: requireVersionCursor(cursor) });
}

/** A query for the ids of the newest transfers that match. */
async function selectMatched(
  ctx: ReadContext,
  { floatId, filter, rowsMax }: { floatId: string; filter: FloatFilter; rowsMax: number },
): Promise<SQL> {
  if (!isByTransfer(filter)) {
    const { after, through } = await findRange(ctx, floatId, filter);
    return sql`
      select transfer_id as id from ${entries}
      where integrator_id = ${ctx.actor.integratorId} and account_id = ${floatId}
        and account_version > ${after} and account_version <= ${through}
      order by account_version desc limit ${rowsMax}::int`;
  }
  const { cursor, ...rest } = filter;
  const version = requireVersionCursor(cursor);
  const before = version === undefined ? undefined : await findLine(ctx, floatId, version);
  return selectFloatTransfers(ctx, { ...rest, before }, rowsMax);
}

/**
 * Lines with their explanations. A line's card, and its transaction, are found from the other side of its transfer.
 * Each limit is a fence for the planner: without statistics, it would join all rows of the tables.
 */
function selectLines(ctx: ReadContext, floatId: string, matched: SQL) {
  const { integratorId } = ctx.actor;
  const isMatched = sql`${entries.transferId} = matched.id`;
  const line = ctx.db
    .select()
    .from(entries)
    .where(and(eq(entries.integratorId, integratorId), isMatched, eq(entries.accountId, floatId)))
    .limit(1)
    .as("line");
  const transfer = ctx.db
    .select({
      kind: transfers.kind,
      requestId: transfers.requestId,
      createdAt: transfers.createdAt,
    })
    .from(transfers)
    .where(and(eq(transfers.integratorId, integratorId), sql`${transfers.id} = matched.id`))
    .limit(1)
    .as("transfer");
  const other = ctx.db
    .select({ id: entries.accountId, version: entries.accountVersion })
    .from(entries)
    .where(and(eq(entries.integratorId, integratorId), isMatched, ne(entries.accountId, floatId)))
    .limit(1)
    .as("other");
  const transaction = ctx.db
    .select({ narrative: transactions.narrative })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, integratorId),
        eq(transactions.cardId, other.id),
        eq(transactions.accountVersion, other.version),
      ),
    )
    .limit(1)
    .as("transaction");
  return ctx.db
    .select({
      transferId: line.transferId,
      kind: transfer.kind,
      amount: line.amount,
      currency: line.currency,
      balanceAfter: line.balanceAfter,
      version: line.accountVersion,
      otherId: other.id,
      narrative: transaction.narrative,
      requestId: transfer.requestId,
      createdAt: transfer.createdAt,
    })
    .from(sql`(${matched}) as matched`)
    .crossJoinLateral(line)
    .crossJoinLateral(transfer)
    .crossJoinLateral(other)
    .leftJoinLateral(transaction, sql`true`)
    .orderBy(desc(line.accountVersion));
}

type Line = Awaited<ReturnType<typeof selectLines>>[number];

function toFloatEntry({ otherId, ...line }: Line): FloatEntry {
  const kind = FLOAT_KINDS.find((each) => each === line.kind);
  if (!kind || line.version === null || line.balanceAfter === null) {
    throw new Error(`Transfer ${line.transferId} is none of the float's.`);
  }
  return {
    ...line,
    kind,
    balanceAfter: line.balanceAfter,
    version: line.version,
    cardId: isWithoutCard(kind) ? null : otherId,
  };
}

function isWithoutCard(kind: FloatKind): boolean {
  return kind === "float_top_up" || kind === "deficit_repayment";
}
