import type { ServerResponse } from "node:http";
import { logUnavailable } from "#lib/api/wire/log-unavailable.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { refuse, refuseUnlogged } from "./refuse.ts";

const RETRY_AFTER_S = 3;

/** Why there is no page: what a person reads, and what the browser's own requests get. */
const CAUSES = {
  pages_unavailable: {
    title: "The dashboard is starting",
    text: "This page reloads by itself once its pages are ready. The API, your cards and your funds are not affected.",
    detail: "The dashboard is starting. The API is not affected.",
  },
  database_unavailable: {
    title: "Busy, trying again",
    text: "The database isn't responding. This page reloads by itself as soon as it does. Everything that was confirmed is safe. Until then, requests to the API may be refused too.",
    detail: "The database cannot be read right now. Try again.",
  },
  overloaded: {
    title: "Busy, trying again",
    text: "Too many pages are loading in your network. This page reloads by itself in a few seconds. The API, your cards and your funds are not affected.",
    detail: "Too many pages are loading in this network; wait a moment.",
  },
} as const;

type Cause = keyof typeof CAUSES;

/** The parts of a request that the answer depends on, and the request's id in the log. */
export interface Requested {
  requestId: string;
  path: string;
  accept: string | undefined;
}

/**
 * Answers when a page cannot be served now. People get a page that reloads automatically; the browser's own requests
 * get a problem.
 */
export function answerUnavailable(
  response: ServerResponse,
  { requestId, path, accept }: Requested,
  cause: Cause,
): void {
  if (!accept?.includes("text/html")) {
    refuse(response, new DomainError(cause, CAUSES[cause].detail), { path, requestId });
    return;
  }
  const { detail } = CAUSES[cause];
  logUnavailable({ status: 503, code: cause, detail }, { requestId, path }, undefined);
  const page = toPage(CAUSES[cause], requestId);
  response.writeHead(503, {
    ...toAnswerHeaders(),
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Retry-After": RETRY_AFTER_S,
    "X-Request-Id": requestId,
  });
  response.end(page);
}

/**
 * Like `answerUnavailable`, while the same cause lasts. Requests that accept no HTML, such as a proxy's checks, are not
 * logged again: they repeat, and nobody sees their ids.
 */
export function answerStillUnavailable(
  response: ServerResponse,
  requested: Requested,
  cause: Cause,
): void {
  if (requested.accept?.includes("text/html")) {
    answerUnavailable(response, requested, cause);
  } else {
    refuseUnlogged(response, new DomainError(cause, CAUSES[cause].detail), requested);
  }
}

function toPage({ title, text }: { title: string; text: string }, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_AFTER_S}">
<title>One moment · Floatdeck</title>
<style>
:root {
  color-scheme: light dark;
  --background: oklch(98.2% 0.002 265);
  --surface: oklch(100% 0 0);
  --border: oklch(90.5% 0.006 265);
  --foreground: oklch(21% 0.012 265);
  --muted: oklch(47% 0.018 265);
  --accent: oklch(47% 0.19 268);
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: oklch(17% 0.008 265);
    --surface: oklch(20.5% 0.009 265);
    --border: oklch(31% 0.012 265);
    --foreground: oklch(95.5% 0.004 265);
    --muted: oklch(73% 0.014 265);
    --accent: oklch(55% 0.19 268);
  }
}
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; align-content: center; justify-items: center; padding: 2.5rem 1rem;
  background: var(--background); color: var(--foreground); font: 14px/1.5 Geist, ui-sans-serif, system-ui, sans-serif; }
main { width: 100%; max-width: 28rem; }
.name { display: flex; align-items: center; gap: 0.5rem; font-size: 1rem; font-weight: 600; letter-spacing: -0.025em; }
.card { margin-top: 1.5rem; padding: 1.5rem; border: 1px solid var(--border); border-radius: 0.75rem; background: var(--surface); }
h1 { text-wrap: balance; font-size: 1.25rem; line-height: 1.4; font-weight: 600; letter-spacing: -0.025em; }
.card p { margin-top: 0.25rem; color: var(--muted); text-wrap: pretty; }
.card .id { margin-top: 0.75rem; font-size: 0.75rem; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<p class="name">
<svg aria-hidden="true" width="24" height="24" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="var(--accent)"/><rect x="6" y="9" width="20" height="14" rx="2.5" fill="#fff"/><rect x="6" y="12.5" width="20" height="3" fill="var(--accent)"/></svg>
Floatdeck
</p>
<div class="card" role="status">
<h1>${title}</h1>
<p>${text}</p>
<p class="id">Request ID: ${requestId}</p>
</div>
</main>
</body>
</html>
`;
}
