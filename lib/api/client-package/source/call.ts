import type { Incoming } from "./exchange.ts";

/** A call of an operation: the promise of what is answered, which `withResponse` adds to. */
export class Call extends Promise<unknown> {
  /** What `then` returns is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** What was answered, apart from the body as well. */
  readonly withResponse: () => Promise<Incoming>;

  /** @param read sends the request; it is called once. */
  constructor(read: () => Promise<Incoming>) {
    // Never settled, because each way to read this promise goes through `then`.
    super(() => {});
    let answer: Promise<Incoming> | undefined;
    this.withResponse = () => (answer ??= read());
  }

  // A promise that only sends its request when it is read has a `then` of its own.
  // oxlint-disable-next-line unicorn/no-thenable
  override then<A = unknown, B = never>(
    onAnswer?: ((data: unknown) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onAnswer, onFailure);
  }
}
