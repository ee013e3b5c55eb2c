import type { TenantActor } from "#lib/base/actor.ts";
import type { DomainError } from "#lib/base/errors.ts";
import type { Tx } from "#db/transaction.ts";

/** The result of one request in a batch. A refusal does not affect the others. */
export type Result<Done> = { done: Done } | { refusal: DomainError };

/** Requests decided together on locked rows. `results` take effect once `write` has run in the same transaction. */
export interface DecidedBatch<Done> {
  /** In the order of the requests. */
  results: Result<Done>[];
  write: () => Promise<void>;
}

/** Locks the rows, then decides requests of one integrator in order. */
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
 * @throws DomainError when the request is refused.
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
 * The integrator that all requests belong to. Undefined when there are no requests.
 * @throws Error when they belong to several: a batch locks the accounts of one integrator.
 */
export function findBatchIntegrator(
  requests: readonly { actor: TenantActor }[],
): string | undefined {
  const [integratorId, ...others] = new Set(requests.map(({ actor }) => actor.integratorId));
  if (others.length > 0) {
    throw new Error("A batch must belong to one integrator.");
  }
  return integratorId;
}
