import type { Caller } from "#lib/base/context.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { decidePostings } from "#lib/ledger/decide.ts";
import type { AccountChanges, PostResult } from "#lib/ledger/decide.ts";
import { toLimitRefusal } from "#lib/funds/funds.ts";
import { toMoveRecords, toPostedMoves } from "#lib/funds/internal/funds-records.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/**
 * Decides that everything available on a card moves to the float, after the changes decided so far: each transfer with its
 * transaction, its event, and its entry in the audit log. An empty card moves nothing. The float must be locked too.
 * @throws DomainError `balance_limit_exceeded`.
 */
export function decideSweep(
  { actor, request }: Caller,
  { integrator, account: { id: cardId } }: Omit<LockedCard, "accounts">,
  changes: AccountChanges,
): Changes {
  const { results, ...decided } = decidePostings(changes, [
    {
      kind: "card_sweep",
      debitAccountId: cardId,
      creditAccountId: integrator.floatId,
      amount: "all",
      currency: integrator.currency,
      idempotencyKey: null,
      requestId: request.id,
    },
  ]);
  const swept = requireSwept(integrator, results[0]);
  const source = { kind: "debit", actor, request, cardId, narrative: null, cover: null } as const;
  const moves = swept ? toPostedMoves(integrator, source, swept) : [];
  return { ...decided, ...toMoveRecords({ integrator, accounts: changes.accounts }, moves) };
}

/** What a decided sweep moves to the float, in minor units. */
export function toSwept({ postings }: Changes): number {
  const swept = postings.filter(({ request }) => request.kind === "card_sweep");
  return swept.reduce((sum, { transfer }) => sum + transfer.amount, 0);
}

/** The result of emptying a card; null if it is already empty. A refused sweep never counts as an empty card. */
function requireSwept(
  integrator: IntegratorAccounts,
  result: PostResult | undefined,
): Extract<PostResult, { posted: true }> | null {
  if (!result) {
    throw new Error("A sweep had no result.");
  }
  if (result.posted) {
    return result;
  }
  if (result.reason !== "nothing") {
    throw toLimitRefusal(integrator, result);
  }
  return null;
}
