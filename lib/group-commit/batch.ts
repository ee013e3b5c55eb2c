import type { TenantActor } from "#lib/base/actor.ts";
import type { DomainError } from "#lib/base/errors.ts";
import type { Tx } from "#db/transaction.ts";

/** The result of one request of a batch. A refusal leaves the others untouched. */
export type Result<Done> = { done: Done } | { refusal: DomainError };

/** Requests decided together on locked rows. `results` take effect with `write`, in the same transaction. */
export interface DecidedBatch<Done> {
  /** In the order of the requests. */
  results: Result<Done>[];
  write: () => Promise<void>;
}

/** Locks, then decides requests of one integrator in their order. */
export type Decide<Request, Done> = (
  tx: Tx,
  requests: readonly Request[],
) => Promise<DecidedBatch<Done>>;

export const EMPTY_BATCH: DecidedBatch<never> = { results: [], write: async () => undefined };

/** Performs requests of one integrator in the caller's transaction. */
export async function performAll<Request, Done>(
  tx: Tx,
  decide: Decide<Request, Done>,
  requests: readonly Request[],
): Promise<Result<Done>[]> {
  const { results, write } = await decide(tx, requests);
  await write();
  return results;
}

/**
 * Performs one request in the caller's transaction, as a batch of one.
 * @throws DomainError its refusal.
 */
export async function performOne<Request, Done>(
  tx: Tx,
  decide: Decide<Request, Done>,
  request: Request,
): Promise<Done> {
  const [result] = await performAll(tx, decide, [request]);
  if (!result) {
    throw new Error("A request had no result.");
  }
  if ("refusal" in result) {
    throw result.refusal;
  }
  return result.done;
}

/**
 * The integrator that all requests belong to; undefined where there are none.
 * @throws Error when there are several: a batch locks the accounts of one.
 */
export function findBatchOwner(requests: readonly { actor: TenantActor }[]): string | undefined {
  const [owner, ...others] = new Set(requests.map(({ actor }) => actor.integratorId));
  if (others.length > 0) {
    throw new Error("A batch of requests belongs to one integrator.");
  }
  return owner;
}
