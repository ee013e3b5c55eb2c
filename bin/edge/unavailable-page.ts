import type { ServerResponse } from "node:http";
import { DomainError } from "#lib/base/errors.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { discardBody, refuse } from "./refuse.ts";

const RETRY_AFTER_S = 3;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_AFTER_S}">
<title>One moment · Floatdeck</title>
<style>
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; }
main { max-width: 26rem; }
p:first-child { font-weight: 600; opacity: 0.7; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0.5rem 0; }
</style>
</head>
<body>
<main>
<p>Floatdeck</p>
<h1>The dashboard is starting again</h1>
<p>This page reloads by itself in a few seconds. The API, your cards and your funds are not affected.</p>
</main>
</body>
</html>
`;

/** Answers for the pages while their process is not there: a page for people, a problem for what the browser fetches. */
export function answerUnavailable(
  response: ServerResponse,
  { path, accept }: { path: string; accept: string | undefined },
): void {
  if (!accept?.includes("text/html")) {
    const refusal = new DomainError("pages_unavailable", "The dashboard is starting again.");
    refuse(response, refusal, path);
    return;
  }
  response.writeHead(503, {
    ...toAnswerHeaders(),
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(PAGE),
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Retry-After": RETRY_AFTER_S,
  });
  response.end(PAGE);
  discardBody(response.req);
}
