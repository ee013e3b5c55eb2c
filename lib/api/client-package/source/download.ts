import { Call } from "./call.ts";
import type { Incoming } from "./exchange.ts";

/** A file. Awaited, it is its text; iterated, its bytes as they arrive. Nothing is sent before that. */
export class Download extends Call implements AsyncIterable<unknown> {
  readonly #open: () => Promise<Incoming>;

  constructor(read: (answers: "text" | "bytes") => Promise<Incoming>) {
    super(() => read("text"));
    this.#open = () => read("bytes");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    const { data } = await this.#open();
    // Its bytes were asked for.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    yield* data as AsyncIterable<unknown>;
  }
}
