import { CodeBlock, JsonBlock } from "../../ui/code-block.tsx";
import { ApiProblem } from "#lib/api/client.ts";
import type { SentRequest } from "#lib/api/client.ts";

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
  sent,
  sentBody,
  answer,
  error,
}: {
  sent: SentRequest;
  sentBody: string | null;
  answer: unknown;
  error: unknown;
}) {
  const { status } = sent;
  const body = error instanceof ApiProblem ? error.problem : answer;
  return (
    <section
      aria-label="Result"
      className="border-separator flex min-w-0 flex-col gap-4 border-t pt-3"
    >
      <CodeBlock label="Request" text={toRequestText(sent, sentBody)} />
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
      <CodeBlock label="Response headers" text={toHeaderText(sent)} />
      {body !== undefined && <JsonBlock label="Response body" text={JSON.stringify(body)} />}
    </section>
  );
}

function toRequestText({ method, url, requestHeaders }: SentRequest, body: string | null): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...headers, ...(body === null ? [] : ["", body])].join("\n");
}

function toHeaderText({ responseHeaders }: SentRequest): string {
  return SHOWN.flatMap((name) => {
    const value = responseHeaders.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  }).join("\n");
}
