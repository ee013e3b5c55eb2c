import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import { requireVersionCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { findCards, getCard } from "#lib/cards/card-reads.ts";
import { selectAccountLines } from "#lib/funds/account-lines.ts";
import type { AccountLine, StatedAccount } from "#lib/funds/account-lines.ts";
import { getFloat } from "#lib/funds/float.ts";
import { isWithoutCard } from "#lib/funds/float-statement.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import { findVersionRange, readBalances } from "#lib/ledger/account-versions.ts";
import type { VersionRange } from "#lib/ledger/account-versions.ts";
import { readTotals } from "#lib/statements/internal/totals.ts";
import type { Total } from "#lib/statements/internal/totals.ts";
import { toLineWords } from "#lib/statements/internal/kind-words.ts";
import { toPeriod } from "#lib/statements/period.ts";
import type { PeriodQuery, StatementPeriod } from "#lib/statements/period.ts";
import { timeLimit } from "#db/time-limits.ts";
import { entries } from "#db/schema/ledger.ts";

/** An account's opening balance, movements, and closing balance. Amounts in minor units. */
export interface Statement {
  account: StatedAccount;
  period: StatementPeriod;
  /** The time zone of the period's days. */
  timeZone: string;
  opening: number;
  /** The total of each kind of movement that occurred. The opening balance plus the totals is the closing balance. */
  totals: Total[];
  closing: number;
  /** How many lines it has, and how many the account had before. */
  lines: number;
  earlierLines: number;
  /** Whether nothing can post in the period any more. */
  isFinal: boolean;
}

/** One line of a statement. */
export interface StatementLine {
  version: number;
  postedAt: Date;
  kind: AccountLine["kind"];
  description: string;
  /** Positive for funds into the account. Minor units, as is `balanceAfter`. */
  net: number;
  balanceAfter: number;
  currency: string;
  /** The account itself, or the card on the other side. Null for a movement between the float and no card. */
  card: { id: string; last4: string; cardName: string } | null;
  transactionId: string | null;
  narrative: string | null;
  merchant: AccountLine["merchant"];
  occurredAt: AccountLine["occurredAt"];
  transferId: string;
  requestId: string;
}

/** Which lines to read: those after the line of the cursor. */
interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** The account and the period of a statement. */
export interface StatementQuery {
  /** Null for the float. */
  cardId: string | null;
  period: PeriodQuery;
}

/**
 * The statement of an account for a period in its own time zone, with its first lines. The balances are found by index,
 * whatever the size of the account; for the cost of the totals, see `readTotals`.
 * @throws DomainError `card_not_found`, and `validation_failed` for a cursor that no list has returned.
 */
export async function getStatement(
  ctx: ReadContext,
  query: StatementQuery & Paging,
): Promise<{ statement: Statement; page: Page<StatementLine> }> {
  const { account, period, range, timeZone, now } = await findLines(ctx, query);
  const [opening = 0, closing = 0] = await readBalances(ctx, account.id, [
    range.after,
    range.through,
  ]);
  const statement = {
    account,
    period,
    timeZone,
    opening,
    totals: await readTotals(ctx, { account, period, range, moved: closing - opening }),
    closing,
    lines: range.through - range.after,
    earlierLines: range.after,
    isFinal: period.to.getTime() + timeLimit("earlierWriters") <= now.getTime(),
  };
  return { statement, page: await readLines(ctx, { account, range, ...query }) };
}

/**
 * Only the lines of a statement, in the order of the account's versions.
 * @throws DomainError `card_not_found`, and `validation_failed` for a cursor that no list has returned.
 */
export async function listStatementLines(
  ctx: ReadContext,
  query: StatementQuery & Paging,
): Promise<Page<StatementLine>> {
  const { account, range } = await findLines(ctx, query);
  return readLines(ctx, { account, range, ...query });
}

async function findLines(ctx: ReadContext, { cardId, period: query }: StatementQuery) {
  const [, { timeZone }, { at: now }, account] = await Promise.all([
    planByIndex(ctx),
    getAccount(ctx),
    readMoment(ctx.db),
    cardId === null ? findFloat(ctx) : findCard(ctx, cardId),
  ]);
  const period = toPeriod(query, { timeZone, now });
  const range = await findVersionRange(ctx, account.id, period);
  return { account, period, range, timeZone, now };
}

async function findFloat(ctx: ReadContext): Promise<StatedAccount> {
  const { id, currency } = await getFloat(ctx);
  return { id, kind: "float", currency };
}

async function findCard(ctx: ReadContext, cardId: string): Promise<StatedAccount> {
  const { id, currency } = await getCard(ctx, cardId);
  return { id, kind: "card", currency };
}

async function readLines(
  ctx: ReadContext,
  { account, range, limit, cursor }: { account: StatedAccount; range: VersionRange } & Paging,
): Promise<Page<StatementLine>> {
  const after = Math.max(range.after, requireVersionCursor(cursor) ?? 0);
  const matched = sql`
    select transfer_id as id from ${entries}
    where integrator_id = ${ctx.actor.integratorId} and account_id = ${account.id}
      and account_version > ${after} and account_version <= ${range.through}
    order by account_version limit ${limit + 1}::int`;
  const lines = await selectAccountLines(ctx, { account, matched, order: "oldest" });
  const toCardId = ({ kind, otherId }: AccountLine) =>
    account.kind === "card" ? account.id : isWithoutCard(kind) ? null : otherId;
  const found = await findCards(
    ctx.db,
    ctx.actor.integratorId,
    lines.flatMap((line) => toCardId(line) ?? []),
  );
  const cards = new Map(found.map(({ id, last4, cardName }) => [id, { id, last4, cardName }]));
  const rows = lines.map((line) =>
    toStatementLine(account, line, cards.get(toCardId(line) ?? "") ?? null),
  );
  return toPage(rows, limit, ({ version }) => String(version));
}

function toStatementLine(
  account: StatedAccount,
  { amount, version, balanceAfter, otherId: _otherId, createdAt, ...line }: AccountLine,
  card: StatementLine["card"],
): StatementLine {
  if (version === null || balanceAfter === null) {
    throw new Error(`Transfer ${line.transferId} has no version of ${account.id}.`);
  }
  return {
    ...line,
    version,
    balanceAfter,
    net: amount,
    postedAt: createdAt,
    description: toLineWords(account.kind, line, card?.last4 ?? null),
    card,
  };
}
