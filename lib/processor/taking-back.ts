import { and, eq, sql } from "drizzle-orm";
import { forIntegrator } from "#lib/processor/context.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { KINDS_OF, findOriginal } from "#lib/processor/originals.ts";
import type { Original } from "#lib/processor/originals.ts";
import { takeBack } from "#lib/purchases/taking-back.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import { toReadContext } from "#lib/base/context.ts";
import { processorOperations } from "#db/schema/processor.ts";
import { pipeline } from "#db/pipeline.ts";

/**
 * Takes back a purchase or a refund by the reference under which the card network reported it. One that has not arrived
 * is taken back when it does.
 * @returns undefined if there is nothing to take back.
 * @throws DomainError as `takeBack`.
 */
export async function takeBackOriginal(
  ctx: ProcessorContext,
  original: Original,
): Promise<Effect | undefined> {
  const found = await findOriginal(ctx, original);
  if (!found) {
    return undefined;
  }
  const { integratorId, transactionId } = found;
  const transaction = await takeBack(forIntegrator(ctx, integratorId), transactionId);
  return { integratorId, transaction };
}

/**
 * Books a purchase or a refund that the card network reports. If its reversal arrived first, takes it back in the same
 * transaction.
 * @param own the operation's id in the contract, and the reference, which the caller must have claimed.
 * @returns the purchase or refund as it is afterward.
 * @throws DomainError as `book` and `takeBack`.
 */
export async function bookOriginal(
  ctx: ProcessorContext,
  own: { operation: string; reference: string },
  book: () => Promise<Effect>,
): Promise<Effect> {
  const [effect, isTakenBack] = await pipeline([book(), isTakenBackBefore(ctx, own)]);
  if (!isTakenBack) {
    return effect;
  }
  const { integratorId, transaction } = effect;
  const integrator = forIntegrator(ctx, integratorId);
  await takeBack(integrator, transaction.id);
  return {
    integratorId,
    transaction: await getTransaction(toReadContext(integrator), transaction.id),
  };
}

async function isTakenBackBefore(
  { tx }: ProcessorContext,
  { operation, reference }: { operation: string; reference: string },
): Promise<boolean> {
  const kinds = sql.param(KINDS_OF[operation] ?? []);
  const rows = await tx
    .select({ one: sql`1` })
    .from(processorOperations)
    .where(
      and(
        eq(processorOperations.takesBack, reference),
        sql`${processorOperations.takesBackKind} = any(${kinds}::text[])`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}
