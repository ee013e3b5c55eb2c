import { DomainError } from "#lib/base/errors.ts";

/** How many calls may wait for their turn under one name. More would not help a caller who has so many waiting. */
const WAITING_MAX = 64;

/** Runs work under the same name one after another, in the order of arrival. */
export class Turns {
  private readonly refusal: DomainError;
  private readonly queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

  /** @param sentence tells refused callers why. */
  constructor(sentence: string) {
    this.refusal = new DomainError("overloaded", sentence);
  }

  /**
   * Begins the work once all earlier work under this name has ended, with any outcome.
   * @throws DomainError `overloaded` if too many calls wait; whatever the work throws.
   */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(name) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= WAITING_MAX) {
      throw this.refusal;
    }
    this.queues.set(name, queue);
    queue.waiting += 1;
    const turn = queue.last.then(work);
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) {
        this.queues.delete(name);
      }
    }
  }
}
