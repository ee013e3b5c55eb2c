import type { Answer } from "#lib/api/answer.ts";
import type { Attempt } from "#lib/api/perform.ts";
import { performBatch, performTogether } from "#lib/api/perform-batch.ts";
import type { BatchCall } from "#lib/api/perform-batch.ts";
import { decideFunds } from "#lib/funds.ts";
import type { FundsRequest, FundsResult } from "#lib/funds.ts";
import { Lanes } from "#lib/ledger/lane.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** Funds asked to be moved. */
export type FundsAsked = Pick<FundsRequest, "kind" | "amount" | "cardId" | "narrative">;

/** Funds that were moved. */
export type FundsMoved = Extract<FundsResult, { posted: true }>;

/** A request to move funds, and how its result is answered. */
export type FundsCall = BatchCall<FundsAsked, FundsMoved>;

/** Pages and the API may load this module twice in one process; an integrator has one lane there all the same. */
const HOLDER = Symbol.for("floatdeck.funds-lanes");
const holder: { [HOLDER]?: Lanes<FundsCall, Attempt> } & typeof globalThis = globalThis;

/**
 * Runs one request to move funds, in one transaction with whatever other requests of its integrator come at the same time.
 * @throws DomainError `overloaded`.
 */
export function performFunds(db: Db, call: FundsCall): Promise<Answer> {
  holder[HOLDER] ??= new Lanes();
  return performTogether(db, call, { lanes: holder[HOLDER], decide });
}

/** Runs requests of one integrator to move funds, any number in one transaction; see `performBatch`. */
export function performFundsBatch(tx: Tx, calls: readonly FundsCall[]): Promise<Attempt[]> {
  return performBatch(tx, calls, decide);
}

function decide(tx: Tx, calls: readonly FundsCall[]) {
  return decideFunds(
    tx,
    calls.map(({ actor, request, asked, keyed }) => ({
      ...asked,
      actor,
      request,
      idempotencyKey: keyed?.key ?? null,
    })),
  );
}
