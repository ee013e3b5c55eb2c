import { and, eq, isNotNull, or } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { spendingResumed } from "#lib/messages/internal/kinds/spending-resumed.ts";
import { spendingStopped } from "#lib/messages/internal/kinds/spending-stopped.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import type { Told } from "#lib/messages/tell-staff.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inUpkeep } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** The ways in which the operator can restrict an account. */
export type Suspension = "suspended" | "stopped";

/** Tells an account's owners that its cards decline everything, and why: the operator, or books that do not balance. */
export function tellOfSuspension(
  db: Db,
  integratorId: string,
  reason: Suspension | "books",
): Promise<void> {
  return tell(integratorId, () =>
    inUpkeep(db, (tx) =>
      tellOwners(tx, integratorId, { kind: spendingStopped, facts: { reason } }),
    ),
  );
}

/** Tells the owners of an account that its cards can be used again, unless another of the reasons still stands. */
export function tellOfResumption(db: Db, integratorId: string): Promise<void> {
  return tell(integratorId, () =>
    inUpkeep(db, async (tx) => {
      if (!(await isSuspended(tx, integratorId))) {
        await tellOwners(tx, integratorId, { kind: spendingResumed, facts: {} });
      }
    }),
  );
}

/** Tells owners what a check of the books has found; see `checkBooks`. */
export const TELL_OF_BOOKS = {
  suspended: (db: Db, integratorId: string) => tellOfSuspension(db, integratorId, "books"),
  resumed: tellOfResumption,
};

async function isSuspended(tx: Tx, integratorId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(
      and(
        eq(integrators.id, integratorId),
        or(
          isNotNull(integrators.suspendedAt),
          isNotNull(integrators.stoppedAt),
          isNotNull(integrators.booksUnbalancedAt),
        ),
      ),
    );
  return rows.length > 0;
}

function tellOwners<Facts extends object>(
  tx: Tx,
  integratorId: string,
  told: Pick<Told<Facts>, "kind" | "facts">,
): Promise<void> {
  return tellStaff(tx, integratorId, { ...told, personId: null, stateOf: integratorId });
}

/** Logs errors instead of throwing them: cards must stop even if nobody can be told. */
async function tell(integratorId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, integratorId }, "The owners could not be told of a suspension.");
  }
}
