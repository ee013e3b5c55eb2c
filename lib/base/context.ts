import type { TenantActor } from "#lib/base/actor.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** Where a request came from, for the audit log and for following it through the system. */
export interface RequestOrigin {
  id: string;
  address: string | null;
  agent: string | null;
}

/** Who sent a request, and as which request. */
export interface Caller {
  actor: TenantActor;
  request: RequestOrigin;
  /** Null without one. The request's first transfer carries it forever. */
  idempotencyKey?: string | null;
}

/** What a function that writes may touch: its transaction and its caller. Never the pool, the network, or a clock. */
export interface WriteContext extends Caller {
  tx: Tx;
}

/** What a function that reads may touch. Inside a transaction `db` is that transaction. */
export interface ReadContext {
  db: Db | Tx;
  actor: TenantActor;
}

/** The same caller, reading what the open transaction sees. */
export function toReadContext(ctx: WriteContext): ReadContext {
  return { db: ctx.tx, actor: ctx.actor };
}
