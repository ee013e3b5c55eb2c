import type { Incoming } from "./send.ts";

/** How a list names its next page: by a cursor, by a position in the feed, or by a number. */
export type Paging = "cursor" | "after" | "page";

type Query = Record<string, unknown>;

/** A list. Awaited, it is its first page; iterated, all its rows, page by page. Nothing is sent before that. */
export class Pages implements PromiseLike<unknown>, AsyncIterable<unknown> {
  readonly #read: (next: Query) => Promise<Incoming>;
  readonly #paging: Paging;

  constructor(paging: Paging, read: (next: Query) => Promise<Incoming>) {
    this.#paging = paging;
    this.#read = read;
  }

  // A list is awaited as its first page, on purpose.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = unknown, B = never>(
    onAnswer?: ((body: unknown) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read({})
      .then(({ body }) => body)
      .then(onAnswer, onFailure);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    let next: Query | undefined = {};
    while (next) {
      const answer: Incoming = await this.#read(next);
      yield* toRows(answer);
      next = toNext(this.#paging, answer);
    }
  }
}

function toRows({ body }: Incoming): unknown[] {
  const rows = Array.isArray(body) ? body : member(body, "data");
  return Array.isArray(rows) ? rows : [];
}

/** What to ask for next; undefined after the last page. */
function toNext(paging: Paging, answer: Incoming): Query | undefined {
  if (paging === "page") {
    const page = Number(member(answer.body, "page"));
    return page < Number(member(answer.body, "total_pages")) ? { page: page + 1 } : undefined;
  }
  const cursor = member(answer.body, "next_cursor") ?? toLinkedCursor(answer.headers);
  // The feed of events has a cursor on its last page too.
  const isOver = paging === "after" && toRows(answer).length === 0;
  return typeof cursor !== "string" || isOver ? undefined : { page: undefined, [paging]: cursor };
}

/** The cursor in a `Link` header (RFC 8288) with the relation `next`. */
function toLinkedCursor(headers: Headers): string | undefined {
  const query = /<[^>]*\?(?<query>[^>]*)>;\s*rel="next"/u.exec(headers.get("link") ?? "")?.groups;
  return new URLSearchParams(query?.["query"] ?? "").get("cursor") ?? undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
