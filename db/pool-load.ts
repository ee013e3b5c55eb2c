import type { Sql } from "postgres";

/** The connections of a pool: how many work for a caller, how many are open and idle, and how many callers wait. */
export interface PoolLoad {
  inUse: number;
  idle: number;
  waiting: number;
  /** How often a connection has waited for an answer of the database so far; statements sent together wait once. */
  roundTrips: number;
}

/** Our patch of the driver adds the function; its types leave it out. */
export function readLoad(client: Sql): PoolLoad {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (client as Sql & { load(): PoolLoad }).load();
}
