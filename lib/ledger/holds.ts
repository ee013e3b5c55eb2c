import { sql } from "drizzle-orm";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import type { Standing } from "#lib/ledger/decide.ts";
import type { Tx } from "#db/transaction.ts";

/** Where locked accounts stand before anything is decided. */
export function toStanding(accounts: LockedAccounts): Standing {
  return new Map(
    [...accounts.byId].map(([id, { balance, held, version }]) => [id, { balance, held, version }]),
  );
}

/**
 * Writes what is held now, in one statement whatever the number of accounts. Held funds stay in the balance, so that no
 * entry is made; what moves a balance is `post`, and that alone.
 */
export async function writeHeld(
  tx: Tx,
  accounts: LockedAccounts,
  standing: Standing,
): Promise<void> {
  const changed = [...standing].filter(([id, { held }]) => held !== accounts.byId.get(id)?.held);
  if (changed.length === 0) {
    return;
  }
  await tx.execute(sql`
    update ledger_accounts a set held = changed.held, updated_at = statement_timestamp()
    from unnest(
      ${sql.param(changed.map(([id]) => id))}::uuid[],
      ${sql.param(changed.map(([, { held }]) => held))}::bigint[]
    ) as changed (id, held)
    where a.integrator_id = ${accounts.integratorId} and a.id = changed.id`);
}
