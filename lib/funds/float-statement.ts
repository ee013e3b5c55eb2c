import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { COUNTED_MAX, requireVersionCursor, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { getFloat } from "#lib/funds/float.ts";
import { FLOAT_KINDS } from "#lib/funds/float-kinds.ts";
import type { FloatKind } from "#lib/funds/float-kinds.ts";
import type { TransferKind } from "#lib/ledger/decide.ts";
import { findLine, findVersionRange } from "#lib/ledger/account-versions.ts";
import { selectFloatTransfers } from "#lib/funds/internal/float-transfers.ts";
import { selectAccountLines } from "#lib/funds/account-lines.ts";
import type { AccountLine } from "#lib/funds/account-lines.ts";
import { entries } from "#db/schema/ledger.ts";

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
  /** The narrative of a credit or debit, as sent; null if there was none. */
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
  const [, float] = await Promise.all([planByIndex(ctx), getFloat(ctx)]);
  const matched = await selectMatched(ctx, { floatId: float.id, filter, rowsMax: limit + 1 });
  const account = { ...float, kind: "float" as const };
  const rows = await selectAccountLines(ctx, { account, matched, order: "newest" });
  return toPage(rows.map(toFloatEntry), limit, ({ version }) => String(version));
}

/**
 * Counts the lines that match the filter from its cursor on. Exact if the filter has neither a kind nor a card,
 * otherwise up to a bound.
 */
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
 * Whether a filter selects lines by their transfers. Any other filter has only dates, which select a range of lines,
 * because lines are numbered in the order of time.
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

function toFloatEntry(line: AccountLine): FloatEntry {
  const { balanceAfter, version, currency, narrative, requestId, transferId } = line;
  const kind = FLOAT_KINDS.find((each) => each === line.kind);
  if (!kind || version === null || balanceAfter === null) {
    throw new Error(`Transfer ${transferId} is none of the float's.`);
  }
  const { amount, createdAt } = line;
  const cardId = isWithoutCard(kind) ? null : line.otherId;
  const moved = { transferId, kind, amount, currency, balanceAfter, version };
  return { ...moved, cardId, narrative, requestId, createdAt };
}

/** Whether the other side is the bank or the deficit. */
export function isWithoutCard(kind: TransferKind): boolean {
  return kind === "float_top_up" || kind === "deficit_repayment";
}
