import type { TenantActor } from "#lib/base/actor.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** Where a request came from, for the audit log and for tracing. */
export interface RequestOrigin {
  id: string;
  address: string | null;
  agent: string | null;
}

/** Who sent a request, and which request it is. */
export interface Caller {
  actor: TenantActor;
  request: RequestOrigin;
  /** Null when the request has none. The request's first transfer keeps it permanently. */
  idempotencyKey?: string | null;
  /** Why nobody else has to approve the request's move, if that is already settled. */
  clearance?: Clearance;
}

/**
 * `counted`: the move has already been counted toward the account's threshold, as an item of a bulk job. Otherwise
 * somebody has approved it up to this amount in minor units; null if it moves nothing.
 */
export type Clearance = "counted" | { upTo: number | null };

/** Everything a writing function may use: its transaction and its caller. Never the pool, the network, or a clock. */
export interface WriteContext extends Caller {
  tx: Tx;
}

/** A change of one resource that its caller may have read before. */
export interface UpdateContext<Resource> extends WriteContext {
  /** Call it with the resource once that is locked. Throws if the caller names a different state of it. */
  requireSeen?: (current: Resource) => void;
}

/** Everything a reading function may use. Inside a transaction, `db` is that transaction. */
export interface ReadContext {
  db: Db | Tx;
  actor: TenantActor;
}

/** The same caller, reading through the open transaction. */
export function toReadContext(ctx: WriteContext): ReadContext {
  return { db: ctx.tx, actor: ctx.actor };
}
