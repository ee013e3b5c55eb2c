import type { Answer } from "#lib/api/answer.ts";
import type { Attempt } from "#lib/api/perform.ts";
import { performTogether } from "#lib/api/perform-batch.ts";
import type { BatchCall } from "#lib/api/perform-batch.ts";
import type { Card } from "#lib/card-resource.ts";
import { decideStatuses } from "#lib/card-status.ts";
import type { StatusChange } from "#lib/card-status.ts";
import { Lanes } from "#lib/ledger/lane.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** The status asked for one card. */
export interface StatusAsked extends StatusChange {
  cardId: string;
}

/** A request to freeze a card or to lift its freeze, and how the card is answered. */
export type StatusCall = BatchCall<StatusAsked, { card: Card }>;

/** Beside the lanes of funds: a freeze does not wait for a batch of them. */
const HOLDER = Symbol.for("floatdeck.status-lanes");
const holder: { [HOLDER]?: Lanes<StatusCall, Attempt> } & typeof globalThis = globalThis;

/**
 * Changes the status of one card, in one transaction with whatever other changes of status of its integrator are asked
 * for at the same time.
 * @throws DomainError `overloaded`.
 */
export function performStatus(db: Db, call: StatusCall): Promise<Answer> {
  holder[HOLDER] ??= new Lanes();
  return performTogether(db, call, { lanes: holder[HOLDER], decide });
}

function decide(tx: Tx, calls: readonly StatusCall[]) {
  return decideStatuses(
    tx,
    calls.map(({ actor, request, asked }) => ({ ...asked, actor, request })),
  );
}
