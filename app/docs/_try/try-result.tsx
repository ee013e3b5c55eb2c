import { CodeBlock, JsonBlock } from "../../ui/code-block.tsx";
import { ApiProblem } from "#lib/api/client.ts";
import type { Exchange } from "#lib/api/client.ts";

/** The response headers that say something about the request, in this order. */
const SHOWN = [
  "X-Request-Id",
  "Api-Version",
  "Idempotent-Replayed",
  "ETag",
  "Link",
  "Retry-After",
  "Deprecation",
];

const OK_MAX = 299;

/** The request as it was sent, and its response. */
export function TryResult({
  exchange,
  sentBody,
  answer,
  error,
}: {
  exchange: Exchange;
  sentBody: string | null;
  answer: unknown;
  error: unknown;
}) {
  const { status } = exchange;
  const body = error instanceof ApiProblem ? error.problem : answer;
  return (
    <section
      aria-label="Result"
      className="border-separator flex min-w-0 flex-col gap-4 border-t pt-3"
    >
      <CodeBlock label="Request" text={toRequestText(exchange, sentBody)} />
      <p className="flex flex-col gap-1" role="status">
        <span
          className={`font-medium ${status > OK_MAX ? "text-declined" : "text-active"}`}
        >{`Response: ${status}`}</span>
        {error instanceof ApiProblem && (
          <a
            className="underlined-link"
            href={error.problem.type}
          >{`What ${error.problem.code} means`}</a>
        )}
      </p>
      <CodeBlock label="Response headers" text={toHeaderText(exchange)} />
      {body !== undefined && <JsonBlock label="Response body" text={JSON.stringify(body)} />}
    </section>
  );
}

function toRequestText({ method, url, requestHeaders }: Exchange, body: string | null): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...headers, ...(body === null ? [] : ["", body])].join("\n");
}

function toHeaderText({ responseHeaders }: Exchange): string {
  return SHOWN.flatMap((name) => {
    const value = responseHeaders.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  }).join("\n");
}
