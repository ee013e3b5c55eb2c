import { Call } from "./call.ts";
import { member } from "./member.ts";
import type { Incoming } from "./exchange.ts";

/** How a list names its next page: by a cursor, or by a position in the feed. */
export type Paging = "cursor" | "after";

type Query = Record<string, unknown>;

/** A page of a list, the same for each shape that lists have. */
interface Page {
  data: unknown[];
  /** What to ask for next; undefined on the last page. */
  next: Query | undefined;
  response: Incoming["response"];
  hasNextPage(): boolean;
  getNextPage(): Promise<Page | undefined>;
}

/** A list. Awaited, it is its first page; iterated, all its rows, page by page. Nothing is sent before that. */
export class Pages extends Call implements AsyncIterable<unknown> {
  /** The first page, as an object that leads to the next one. */
  readonly firstPage: () => Promise<Page>;

  constructor(paging: Paging, read: (next?: Query) => Promise<Incoming>) {
    super(read);
    const toPage = (answer: Incoming): Page => {
      const next = toNext(paging, answer);
      return {
        data: toRows(answer),
        next,
        response: answer.response,
        hasNextPage: () => Boolean(next),
        getNextPage: async () => next && toPage(await read(next)),
      };
    };
    this.firstPage = async () => toPage(await this.withResponse());
  }

  async *pages(): AsyncGenerator<Page, void> {
    let page: Page | undefined = await this.firstPage();
    while (page) {
      yield page;
      page = await page.getNextPage();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    for await (const { data } of this.pages()) {
      yield* data;
    }
  }
}

function toRows({ data }: Incoming): unknown[] {
  return [data, member(data, "data")].find((each) => Array.isArray(each)) ?? [];
}

function toNext(paging: Paging, answer: Incoming): Query | undefined {
  const { data: body, response } = answer;
  const cursor = member(body, "next_cursor") ?? toLinkedCursor(response.headers);
  // The feed of events has a cursor on its last page too.
  const isOver = paging === "after" && toRows(answer).length === 0;
  return cursor && !isOver ? { page: undefined, [paging]: cursor } : undefined;
}

/** The cursor in a `Link` header (RFC 8288) with the relation `next`. */
function toLinkedCursor(headers: Headers): string | undefined {
  const link = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/u.exec(headers.get("link") ?? "");
  return link?.[1] && decodeURIComponent(link[1]);
}
