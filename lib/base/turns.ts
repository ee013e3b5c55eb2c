import { DomainError } from "#lib/base/errors.ts";

/** How many may wait for their turn under one name. Whoever has so many waiting gains nothing by another. */
const WAITING_MAX = 64;

/** Work that has to be done one after another under the same name, in the order in which it came. */
export class Turns {
  private readonly refusal: DomainError;
  private readonly queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

  /** @param sentence tells whoever is refused why. */
  constructor(sentence: string) {
    this.refusal = new DomainError("overloaded", sentence);
  }

  /**
   * Begins the work once all earlier work under this name has ended, with any outcome.
   * @throws DomainError `overloaded` if too much is waiting; what the work throws.
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
