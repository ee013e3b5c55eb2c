import type { Sql } from "postgres";
import { expect } from "vitest";

/** The id of the transaction that a connection has open: the server may have others, such as one that removes old rows. */
export async function readTransactionId(owner: Sql, port: number): Promise<bigint> {
  const rows = await owner<{ xid: string }[]>`
    select backend_xid::text as xid from pg_stat_activity
    where client_port = ${port} and state = 'idle in transaction' and backend_xid is not null`;
  expect(rows).toHaveLength(1);
  return BigInt(rows[0]?.xid ?? 0);
}

/** Commits transactions up to this id. @returns whether one of them got it. */
export async function spendIds(owner: Sql, id: bigint): Promise<boolean> {
  for (;;) {
    const [row] = await owner`select pg_current_xact_id()::text as xid`;
    const given = BigInt(row?.["xid"]);
    if (given >= id) {
      return given === id;
    }
  }
}
