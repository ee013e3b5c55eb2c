import { sql } from "drizzle-orm";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import type { WorkingBalances } from "#lib/ledger/decide.ts";
import type { Tx } from "#db/transaction.ts";

/** The balances of locked accounts before any decision. */
export function toWorkingBalances(accounts: LockedAccounts): WorkingBalances {
  return new Map(
    [...accounts.byId].map(([id, { balance, held, version }]) => [id, { balance, held, version }]),
  );
}

/**
 * Writes the held amounts in one statement, however many accounts there are. Held funds stay in the balance, so no entry is
 * written; only `post` changes a balance.
 * @param events the number of events written with each account, by account id. Its event counter advances by that number.
 */
export async function writeHeld(
  tx: Tx,
  { accounts, balances }: { accounts: LockedAccounts; balances: WorkingBalances },
  events: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const changed = [...balances].filter(
    ([id, { held }]) => held !== accounts.byId.get(id)?.held || events.has(id),
  );
  if (changed.length === 0) {
    return;
  }
  const ids = sql.param(changed.map(([id]) => id));
  await tx.execute(sql`
    update ledger_accounts a
    set held = changed.held, event_sequence = a.event_sequence + changed.events,
      updated_at = case when a.held = changed.held then a.updated_at
        else to_timestamp(${accounts.at.getTime()}::float8 / 1000) end
    from unnest(
      ${ids}::uuid[],
      ${sql.param(changed.map(([, { held }]) => held))}::bigint[],
      ${sql.param(changed.map(([id]) => events.get(id) ?? 0))}::bigint[]
    ) as changed (id, held, events)
    where a.integrator_id = ${accounts.integratorId} and a.id = any(${ids}::uuid[]) and a.id = changed.id`);
}
