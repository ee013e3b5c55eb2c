import { eq, sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { runSelect } from "#db/compiled-select.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

/** The refusal of every change of an account that the operator has stopped. */
const STOPPED = new DomainError(
  "account_stopped",
  "The operator of this server has stopped all changes to this account. Nothing was changed, and reads go on. Ask the operator to start it again.",
);

/** Why this account may not change anything; null if it may. Call it in the transaction of the change. */
export async function findStop(tx: Tx, integratorId: string): Promise<DomainError | null> {
  const [row] = await runSelect(tx, {
    key: "account stop",
    build: (builder) =>
      builder
        .select({ stoppedAt: integrators.stoppedAt })
        .from(integrators)
        .where(eq(integrators.id, sql.placeholder("integratorId"))),
    values: { integratorId },
  });
  return row?.stoppedAt ? STOPPED : null;
}
