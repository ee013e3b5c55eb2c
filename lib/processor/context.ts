import { and, eq, inArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Processor } from "#lib/base/actor.ts";
import type { RequestOrigin, WriteContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { cards } from "#db/schema/cards.ts";
import { transactions } from "#db/schema/transactions.ts";
import { OWN_TRANSACTION, processorOperations } from "#db/schema/processor.ts";
import type { Db } from "#db/client.ts";
import { inTime } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Everything a function of the card network may use. It has no integrator until a card determines one. */
export interface ProcessorContext {
  tx: Tx;
  actor: Processor;
  request: RequestOrigin;
}

/** The same caller, acting for one integrator from here on. */
export function forIntegrator(ctx: ProcessorContext, integratorId: string): WriteContext {
  const { tx, actor, request } = ctx;
  return { tx, actor: { integratorId, ref: actor.ref }, request };
}

/** The id of the integrator that a card belongs to. Undefined for an unknown card. */
export async function findCardOwner(db: Db | Tx, cardId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ integratorId: cards.integratorId })
    .from(cards)
    .where(eq(cards.id, cardId));
  return row?.integratorId;
}

/** @throws DomainError `card_not_found`. */
export async function requireCardOwner(ctx: ProcessorContext, cardId: string): Promise<string> {
  const integratorId = await findCardOwner(ctx.tx, cardId);
  if (integratorId === undefined) {
    throw notFound("card_not_found");
  }
  return integratorId;
}

/** The maximum number of cached owners. The oldest are evicted first. */
const OWNERS_MAX = 50_000;
const owners = new Map<string, string>();

/** Like `findCardOwner`, but cached: a card's owner never changes. */
export async function findCachedCardOwner(db: Db, cardId: string): Promise<string | undefined> {
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

/** A transaction that the processor itself created. */
export interface OwnTransaction {
  integratorId: string;
  transactionId: string;
}

/** An authorization and its card. */
export interface OwnAuthorization extends OwnTransaction {
  cardId: string;
}

/** How the card network names an authorization: by the id from our response, or by the network's reference. */
export type AuthorizationName = { id: string } | { reference: string };

/**
 * The authorization with this name. By id, also an increment of an ended authorization. Undefined if it has not
 * arrived, or was declined because its card is unknown. The caller must have claimed the reference, if it is named by
 * one.
 */
export async function findAuthorization(
  ctx: ProcessorContext,
  name: AuthorizationName,
): Promise<OwnAuthorization | undefined> {
  const [row] = await ctx.tx
    .select({
      integratorId: transactions.integratorId,
      transactionId: transactions.id,
      cardId: transactions.cardId,
    })
    .from(processorOperations)
    .innerJoin(transactions, OWN_TRANSACTION)
    .where(
      "id" in name
        ? and(
            eq(processorOperations.transactionId, name.id),
            inArray(processorOperations.operation, ["createAuthorization", "createIncrement"]),
          )
        : and(
            eq(processorOperations.reference, toStanding(name.reference)),
            eq(processorOperations.operation, "createAuthorization"),
          ),
    )
    .limit(1);
  return row;
}

/**
 * The reference of the network's approval on our behalf of an authorization that we declined or that has not arrived.
 * If there is none, the given reference.
 */
function toStanding(reference: string): SQL {
  return sql`coalesce((select p.reference from processor_operations p
    where p.awaits = ${reference} and p.operation = 'createAuthorization' limit 1), ${reference})`;
}

/**
 * The captures on a card for an authorization with this reference that has not arrived yet. The caller must have
 * claimed the reference.
 */
export async function findEarlyCaptures(
  { tx }: ProcessorContext,
  reference: string,
  cardId: string,
): Promise<{ id: string }[]> {
  return tx
    .select({ id: transactions.id })
    .from(processorOperations)
    .innerJoin(transactions, OWN_TRANSACTION)
    .where(and(eq(processorOperations.awaits, reference), eq(transactions.cardId, cardId)));
}
