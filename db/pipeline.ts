import { databaseCode } from "./failures.ts";

/** The SQLSTATE of a statement in a transaction that has already failed. */
const ABORTED = "25P02";

/**
 * Awaits the steps of one transaction as a pipelined round trip: async functions started in order, each of
 * which awaits its first statement before anything else. The database receives these statements in that
 * order, without waiting for earlier answers. Waits for all steps even when one fails, so that nothing is
 * sent after the transaction has ended.
 * @throws the error of the step that failed; the others failed because of it.
 */
export async function pipeline<Results extends readonly unknown[]>(begun: {
  readonly [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  // A query of the builder runs every time it is awaited, so convert it to a promise once.
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
