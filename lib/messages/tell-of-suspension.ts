import { log } from "#lib/base/log.ts";
import type { MessageKind } from "#lib/messages/internal/message.ts";
import { spendingResumed } from "#lib/messages/internal/kinds/spending-resumed.ts";
import { spendingStopped } from "#lib/messages/internal/kinds/spending-stopped.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** Tells the owners of an account that its cards decline everything. `isByOperator`: or else because its books do not balance. */
export function tellOfSuspension(
  db: Db,
  integratorId: string,
  facts: { isByOperator: boolean },
): Promise<void> {
  return tell(db, integratorId, { kind: spendingStopped, facts });
}

/** Tells the owners of an account that its cards can be used again. */
export function tellOfResumption(db: Db, integratorId: string): Promise<void> {
  return tell(db, integratorId, { kind: spendingResumed, facts: {} });
}

/** Tells owners what a check of the books has found; see `checkBooks`. */
export const TELL_OF_BOOKS = {
  suspended: (db: Db, integratorId: string) =>
    tellOfSuspension(db, integratorId, { isByOperator: false }),
  resumed: tellOfResumption,
};

/** In a transaction of its own, and never throws: that cards stop must not depend on whether anybody can be told. */
async function tell<Facts extends object>(
  db: Db,
  integratorId: string,
  told: { kind: MessageKind<Facts>; facts: Facts },
): Promise<void> {
  try {
    await inTransaction(db, (tx) =>
      tellStaff(tx, integratorId, { ...told, personId: null, stateOf: integratorId }),
    );
  } catch (error) {
    log.error({ err: error, integratorId }, "The owners could not be told of a suspension.");
  }
}
