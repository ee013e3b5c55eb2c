import type { TenantActor } from "#lib/actor.ts";

/** What requests that were decided together come to. The results become so with `write`, in the same transaction. */
export interface DecidedBatch<Result> {
  /** In the order of the requests. */
  results: Result[];
  write: () => Promise<void>;
}

/** What no requests at all come to. */
export const NOTHING_DECIDED: DecidedBatch<never> = { results: [], write: async () => undefined };

/**
 * Whose requests these are; undefined where there are none.
 * @throws Error when they are not all of one integrator: a batch locks the accounts of one.
 */
export function findBatchOwner(requests: readonly { actor: TenantActor }[]): string | undefined {
  const [owner, ...others] = new Set(requests.map(({ actor }) => actor.integratorId));
  if (others.length > 0) {
    throw new Error("A batch of requests belongs to one integrator.");
  }
  return owner;
}
