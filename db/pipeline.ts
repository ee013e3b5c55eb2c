import { databaseCode } from "./failures.ts";

/** Of a statement in a transaction that has failed already. */
const ABORTED = "25P02";

/**
 * Waits for steps of one transaction that were begun one after the other: async functions, each of which awaits its first
 * statement before anything else. The database gets these statements in that order, none of them waiting for the answer
 * to the one before. Waits for all steps even when one fails, so that nothing is sent once the transaction has ended.
 * @throws what the step that failed throws; the others failed because of it.
 */
export async function pipeline<Results extends readonly unknown[]>(begun: {
  readonly [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  // A query of the builder runs as often as it is waited for: from here on it is a promise.
  const steps = begun.map((step) => Promise.resolve(step));
  const failures: unknown[] = [];
  for (const outcome of await Promise.allSettled(steps)) {
    if (outcome.status === "rejected") {
      failures.push(outcome.reason);
    }
  }
  if (failures.length > 0) {
    throw failures.find((failure) => databaseCode(failure) !== ABORTED) ?? failures[0];
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await Promise.all(steps)) as unknown as Results;
}
