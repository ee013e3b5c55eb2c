import { and, eq } from "drizzle-orm";
import type { Processor } from "#lib/base/actor.ts";
import type { RequestOrigin, WriteContext } from "#lib/base/context.ts";
import { cards } from "#db/schema/cards.ts";
import { processorOperations } from "#db/schema/processor.ts";
import type { Db } from "#db/client.ts";
import { inTime } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** What a function of the card network's side may touch. It belongs to no integrator until a card names one. */
export interface ProcessorContext {
  tx: Tx;
  actor: Processor;
  request: RequestOrigin;
}

/** The same caller, acting within one integrator from here on. */
export function within(ctx: ProcessorContext, integratorId: string): WriteContext {
  const { tx, actor, request } = ctx;
  return { tx, actor: { integratorId, ref: actor.ref }, request };
}

/** Whose a card is; undefined for nobody's. */
export async function findCardOwner(db: Db | Tx, cardId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ integratorId: cards.integratorId })
    .from(cards)
    .where(eq(cards.id, cardId));
  return row?.integratorId;
}

/** Cards whose owner is remembered: those asked about first make room for new ones. */
const OWNERS_MAX = 50_000;
const owners = new Map<string, string>();

/** As `findCardOwner`, and asked of the database once a card: its owner never changes. */
export async function recallCardOwner(db: Db, cardId: string): Promise<string | undefined> {
  const known = owners.get(cardId);
  if (known !== undefined) {
    return known;
  }
  const owner = await inTime(() => findCardOwner(db, cardId));
  if (owner === undefined) {
    return undefined;
  }
  const [oldest] = owners.keys();
  if (owners.size >= OWNERS_MAX && oldest !== undefined) {
    owners.delete(oldest);
  }
  owners.set(cardId, owner);
  return owner;
}

/** Whose an authorization is that the processor itself made; undefined for any other id. */
export async function findAuthorizationOwner(
  ctx: ProcessorContext,
  transactionId: string,
): Promise<string | undefined> {
  const [row] = await ctx.tx
    .select({ integratorId: processorOperations.integratorId })
    .from(processorOperations)
    .where(
      and(
        eq(processorOperations.transactionId, transactionId),
        eq(processorOperations.operation, "createAuthorization"),
      ),
    );
  return row?.integratorId ?? undefined;
}
