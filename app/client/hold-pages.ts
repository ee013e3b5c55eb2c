import { hasTrouble, reportTrouble } from "./trouble.ts";

/** The header that Next.js sends with each request for a page that is to replace another one. */
const PAGE_HEADER = "rsc";
/** The server, or a proxy before it, cannot serve a page now. */
const UNSERVED: ReadonlySet<number> = new Set([502, 503, 504]);
const AGAIN_MS = 2_000;

let newest: object = {};
let servedId: string | null = null;

/**
 * Holds a request for a page until it is served, so that a busy server does not cause a failure. Any other answer
 * would make Next.js load the document, and a page without a frame would replace the current one. In the meantime,
 * the current page stays at its scroll position, or the skeleton does.
 */
export function holdPages(): void {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) =>
    new Headers(init?.headers).has(PAGE_HEADER)
      ? untilServed(() => send(input, init), init?.signal)
      : send(input, init);
}

/** The id of the request that loaded this page, as in the server's log; undefined if there is none. */
export function findPageRequestId(): string | undefined {
  return servedId ?? document.documentElement.dataset["requestId"];
}

async function untilServed(
  send: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const own = {};
  newest = own;
  // Only one request retries at a time: the one for the page that the person wants now.
  const mayAsk = () => newest === own || !hasTrouble(newest);
  for (;;) {
    const answer = await attempt(send, signal);
    if (answer) {
      reportTrouble(own, false);
      servedId = answer.headers.get("x-request-id");
      return answer;
    }
    reportTrouble(own, true);
    do {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } while (!mayAsk());
  }
}

/** Resolves to undefined when the page cannot be served now. */
async function attempt(
  send: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response | undefined> {
  try {
    const answer = await send();
    return UNSERVED.has(answer.status) ? undefined : answer;
  } catch (error) {
    if (signal?.aborted) {
      throw error;
    }
    return undefined;
  }
}
