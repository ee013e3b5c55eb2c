import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { log } from "./log.ts";
import { DatabaseFailure } from "#db/failures.ts";

/** The page being requested, which Next.js itself does not show to pages. */
interface PageRequest {
  request: IncomingMessage;
  response: HeldResponse;
}

/** What limits a page's wait for its data. */
interface PageWait {
  /** When the page was requested, as `performance.now()`. */
  since: number;
  /** Aborts when the person leaves before the page has arrived. */
  abandoned: AbortSignal;
}

/** A response that is held back until it is complete, so that it can still be replaced until then. */
interface HeldResponse extends ServerResponse {
  /**
   * Answers 503 if the page fails.
   * @returns false if that was already decided.
   */
  answerUnavailable(): boolean;
  /** Sends nothing of the page. */
  withhold(): void;
}

/**
 * The process that serves pages loads this module twice, as Node's copy and Next's. Both must see the same
 * request, so it is stored on the global object.
 */
const HOLDER = Symbol.for("floatdeck.page-request");
const holder: { [HOLDER]?: AsyncLocalStorage<PageRequest & PageWait> } & typeof globalThis =
  globalThis;
const requested = (holder[HOLDER] ??= new AsyncLocalStorage());

/** The query parameter with which Next.js keeps its own requests out of caches. */
const NEXT_PARAMETER = "_rsc";

/** Longer targets are not kept, because a target must fit into the query of another URL. */
const TARGET_MAX = 2_000;

/** Serves a page as the answer to this request. */
export function servePage(page: PageRequest, serve: () => void): void {
  const leaving = new AbortController();
  page.response.once("close", () => {
    leaving.abort(new DatabaseFailure("database_unavailable", "The page was abandoned."));
  });
  const wait = { since: performance.now(), abandoned: leaving.signal };
  requested.run({ ...page, ...wait }, serve);
}

/** The limits of the requested page's wait. Outside of a page, the wait begins now. */
export function readPageWait(): PageWait {
  return (
    requested.getStore() ?? {
      since: performance.now(),
      abandoned: new AbortController().signal,
    }
  );
}

/** The path and query of the requested page; undefined when there is none, or it is too long to keep. */
export function findPageTarget(): string | undefined {
  const url = URL.parse(requested.getStore()?.request.url ?? "", "http://own.invalid");
  url?.searchParams.delete(NEXT_PARAMETER);
  const target = url && `${url.pathname}${url.search}`;
  return target && target.length <= TARGET_MAX ? target : undefined;
}

/**
 * Answers the requested page with status 404. Call it while rendering, before anything is sent. A navigation
 * within the dashboard keeps its 200: Next.js would take another status for a page that it must load whole.
 */
export function answerNotFound(): void {
  const page = requested.getStore();
  if (page && page.request.headers["rsc"] === undefined) {
    page.response.statusCode = 404;
  }
}

/**
 * Answers the requested page, which fails for this reason, with status 503 instead of 500. Logs the reason only once
 * per page, because several of its reads may fail. If the page would replace another one in a browser, nothing of it is
 * sent: the browser keeps the other page, and asks again. Does nothing outside a page.
 */
export function answerUnavailable(reason: unknown): void {
  const page = requested.getStore();
  if (!page || page.abandoned.aborted) {
    return;
  }
  const { request, response } = page;
  if (request.headers["rsc"] !== undefined) {
    response.withhold();
  }
  if (response.answerUnavailable()) {
    const [path] = (request.url ?? "").split("?", 1);
    const requestId = request.headers["x-request-id"];
    log.warn(
      { err: reason, requestId, path },
      "A page was not served: the database is unavailable.",
    );
  }
}

/** As `answerUnavailable`, and sends nothing of what is still rendered. */
export function withholdPage(reason: unknown): void {
  answerUnavailable(reason);
  requested.getStore()?.response.withhold();
}
