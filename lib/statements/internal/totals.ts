import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { StatedAccount } from "#lib/funds/account-lines.ts";
import type { TransferKind } from "#lib/ledger/decide.ts";
import type { VersionRange } from "#lib/ledger/account-versions.ts";
import { readTransferSums } from "#lib/overview/transfer-sums.ts";
import { listKinds, toTotalName } from "#lib/statements/internal/kind-words.ts";
import type { StatementPeriod } from "#lib/statements/period.ts";

/** What all movements of a kind added to an account, in minor units; negative if they took from it. */
export interface Total {
  kind: TransferKind | "other";
  name: string;
  net: number;
}

/** The kinds that take from the float. All others of its kinds add to it. */
const FROM_FLOAT: ReadonlySet<TransferKind> = new Set([
  "card_credit",
  "cover",
  "deficit_repayment",
]);

/** How many lines are added up while somebody waits: half a second's work. */
const SUMMED_LINES_MAX = 100_000;

/** The account and period of a statement, and what its totals must add up to. */
interface Moved {
  account: StatedAccount;
  period: StatementPeriod;
  range: VersionRange;
  /** Closing balance minus opening balance. */
  moved: number;
}

/**
 * What moved in a period, by kind. The float's totals come from the rollup, at the same cost for a thousand lines as
 * for a million. A card's totals are summed from its lines: a purchase locks its card, so one card has few lines.
 * Anything that cannot be summed by kind in time becomes a total named `other`, so that the totals always add up.
 */
export async function readTotals(ctx: ReadContext, stated: Moved): Promise<Total[]> {
  const { account, range, moved } = stated;
  const sums = range.after >= range.through ? NONE : await sum(ctx, stated);
  const rest = moved - add(sums);
  return [
    ...listKinds(account.kind).flatMap((kind) => {
      const net = sums.get(kind);
      return net === undefined ? [] : [{ kind, name: toTotalName(account.kind, kind), net }];
    }),
    ...(rest === 0 ? [] : [{ kind: "other" as const, name: "Other movements", net: rest }]),
  ];
}

type Sums = ReadonlyMap<TransferKind, number>;

const NONE: Sums = new Map();

function add(sums: Sums): number {
  return sums.values().reduce((sofar, net) => sofar + net, 0);
}

async function sum(ctx: ReadContext, { account, period, range, moved }: Moved): Promise<Sums> {
  const rolledUp = account.kind === "float" ? await sumRollups(ctx, period) : NONE;
  // If the database's clock was once set back, times and versions disagree about which lines are in the period.
  const isKnown = account.kind === "float" && add(rolledUp) === moved;
  const isTooMuch = range.through - range.after > SUMMED_LINES_MAX;
  return isKnown || isTooMuch ? rolledUp : sumLines(ctx, account, range);
}

async function sumRollups(ctx: ReadContext, { from, to }: StatementPeriod): Promise<Sums> {
  const kinds = new Set(listKinds("float"));
  const sums = await readTransferSums(ctx, { starts: [from], until: to });
  return new Map(
    sums
      .filter(({ kind }) => kinds.has(kind))
      .map(({ kind, amount }) => [kind, FROM_FLOAT.has(kind) ? -amount : amount]),
  );
}

async function sumLines(
  ctx: ReadContext,
  account: StatedAccount,
  { after, through }: VersionRange,
): Promise<Sums> {
  const { integratorId } = ctx.actor;
  const rows = await ctx.db.execute<{ kind: TransferKind; net: number }>(sql`
    select transfer.kind, sum(e.amount)::float8 as net from entries e
    cross join lateral (
      select t.kind from transfers t where t.integrator_id = ${integratorId} and t.id = e.transfer_id limit 1
    ) as transfer
    where e.integrator_id = ${integratorId} and e.account_id = ${account.id}
      and e.account_version > ${after} and e.account_version <= ${through}
    group by transfer.kind`);
  return new Map(rows.map(({ kind, net }) => [kind, net]));
}
