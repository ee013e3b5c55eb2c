import { lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { Caller, WriteContext } from "#lib/base/context.ts";
import { findAccount, lockDeficitAfter } from "#lib/ledger/accounts.ts";
import { decidePostings } from "#lib/ledger/decide.ts";
import type { AccountChanges, PostRequest, PostResult } from "#lib/ledger/decide.ts";
import { toMoveRecords, toPostedMoves } from "#lib/funds/internal/funds-records.ts";
import { COVER_SOURCES } from "#lib/transactions/transaction-kinds.ts";
import type { CoverSource } from "#lib/transactions/transaction-kinds.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/**
 * Cover: an overdraft that the float pays. The card network has posted a purchase that its card cannot pay in full. The
 * float pays what is missing, and the integrator owes what the float cannot pay. The money moves to the card, which
 * then pays.
 */

/** What each source pays. Minor units. */
export type Shares = Readonly<Record<CoverSource, number>>;

export const NOTHING_COVERED: Shares = { float: 0, deficit: 0 };

/** Locks every account that pays what a card is missing. Returns the locked card, and what each source pays. */
export async function lockCover(
  ctx: WriteContext,
  card: LockedCard,
  missing: number,
): Promise<{ card: LockedCard; shares: Shares }> {
  const locked = await lockWithFloat(ctx, card);
  const float = Math.min(missing, findAccount(locked.accounts, "float")?.balance ?? 0);
  const shares = { float, deficit: missing - float };
  const accounts =
    shares.deficit > 0 ? await lockDeficitAfter(ctx.tx, locked.accounts) : locked.accounts;
  return { card: { ...locked, accounts }, shares };
}

/** Decides that each source pays its share to the card. */
export function decideCover(
  { request }: Caller,
  { integrator, account }: LockedCard,
  { changes, shares }: { changes: AccountChanges; shares: Shares },
) {
  const accountIds = { float: integrator.floatId, deficit: integrator.deficitId };
  const sources = COVER_SOURCES.filter((source) => shares[source] > 0);
  const { results, ...decided } = decidePostings(
    changes,
    sources.map((source): PostRequest => ({
      kind: source === "float" ? "cover" : "deficit_cover",
      debitAccountId: accountIds[source],
      creditAccountId: account.id,
      amount: shares[source],
      currency: integrator.currency,
      idempotencyKey: null,
      requestId: request.id,
    })),
  );
  const covers = sources.map((source, index) => ({
    source,
    result: requirePosted(account.id, results[index]),
  }));
  return { changes: decided, covers };
}

/** The records of the cover that a purchase received. */
export function toCoverRecords(
  { actor, request }: Caller,
  { integrator, account, accounts }: LockedCard,
  { covers, purchaseId }: { covers: ReturnType<typeof decideCover>["covers"]; purchaseId: string },
): Pick<Changes, "transactions" | "events" | "audit"> {
  const moves = covers.flatMap(({ source, result }) => {
    const cover = { of: purchaseId, source };
    const credit = { kind: "credit", cardId: account.id, narrative: null, cover } as const;
    return toPostedMoves(integrator, { ...credit, actor, request }, result);
  });
  return toMoveRecords({ integrator, accounts }, moves);
}

/** How much of a purchase's cover is returned, in minor units. */
export interface CoverReturn {
  of: string;
  amount: number;
}

/** Decides to return the cover of purchases, after the changes decided so far. The float must be locked too. */
export function decideCoverReturn(
  { actor, request }: Caller,
  { integrator, account }: Omit<LockedCard, "accounts">,
  { changes, returns }: { changes: AccountChanges; returns: readonly CoverReturn[] },
): Changes {
  const { results, ...decided } = decidePostings(
    changes,
    returns.map(({ amount }): PostRequest => ({
      kind: "cover_return",
      debitAccountId: account.id,
      creditAccountId: integrator.floatId,
      amount,
      currency: integrator.currency,
      idempotencyKey: null,
      requestId: request.id,
    })),
  );
  const moves = returns.flatMap(({ of }, index) =>
    toPostedMoves(
      integrator,
      {
        kind: "debit",
        actor,
        request,
        cardId: account.id,
        narrative: null,
        cover: { of, source: "float" },
      },
      requirePosted(account.id, results[index]),
    ),
  );
  return { ...decided, ...toMoveRecords({ integrator, accounts: changes.accounts }, moves) };
}

function requirePosted(cardId: string, result: PostResult | undefined) {
  if (!result?.posted) {
    throw new Error(`The cover of card ${cardId} could not be posted.`);
  }
  return result;
}
