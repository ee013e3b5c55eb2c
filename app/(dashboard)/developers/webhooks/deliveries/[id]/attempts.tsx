import { CircleCheck, CircleX } from "lucide-react";
import { CodeBlock } from "../../../../../ui/code-block.tsx";
import { Disclosed } from "../../../../../ui/disclosed.tsx";
import { Empty } from "../../../../../ui/empty.tsx";
import { Panel } from "../../../../../ui/panel.tsx";
import { Time } from "../../../../../ui/time.tsx";
import type { Attempt } from "#lib/webhooks/deliveries.ts";
import { explainFailure } from "#lib/webhooks/delivery-states.ts";

/** The attempts, newest first and the newest expanded: what was sent, what came back, and what went wrong. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <Panel flush title="Attempts">
      {attempts.length === 0 ? (
        <Empty title="No attempts yet">The first attempt starts within moments.</Empty>
      ) : (
        <ol className="divide-separator divide-y">
          {attempts.map((attempt, index) => (
            <li aria-label={`Attempt ${attempt.number}`} key={attempt.number}>
              <Disclosed isOpen={index === 0} summary={<Summary attempt={attempt} />}>
                <Details attempt={attempt} />
              </Disclosed>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Summary({ attempt }: { attempt: Attempt }) {
  const { number, failure, status, durationMs, startedAt } = attempt;
  const Icon = failure === null ? CircleCheck : CircleX;
  return (
    <>
      <Icon
        aria-hidden
        className={`size-4 shrink-0 ${failure === null ? "text-active" : "text-declined"}`}
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="font-medium">{`Attempt ${number}: ${failure === null ? "delivered" : "failed"}`}</span>
        <span>{explainFailure(failure)}</span>
        <span className="text-muted text-xs font-normal">
          {status !== null && (
            <>
              <span>{`HTTP ${status} ·`}</span>{" "}
            </>
          )}
          <span>{`${durationMs.toLocaleString("en-US")} ms ·`}</span> <Time at={startedAt} />
        </span>
      </span>
    </>
  );
}

function Details({ attempt }: { attempt: Attempt }) {
  const { number, url, address, detail, requestHeaders, responseHeaders, responseBody } = attempt;
  return (
    <>
      <p className="text-muted text-xs break-all">
        <span>POST</span> <span className="font-mono">{url}</span>
        {address && (
          <>
            {" "}
            <span>at</span> <span className="font-mono">{address}</span>
          </>
        )}
      </p>
      {detail && <p className="break-words">{detail}</p>}
      <div className="grid grid-cols-1 gap-4 @[60rem]:grid-cols-2">
        <CodeBlock
          label="Request headers"
          name={`Request headers of attempt ${number}`}
          text={toLines(requestHeaders)}
        />
        {responseHeaders ? (
          <CodeBlock
            label="Response headers"
            name={`Response headers of attempt ${number}`}
            text={toLines(responseHeaders)}
          />
        ) : (
          <p className="text-muted">No response received.</p>
        )}
      </div>
      {responseBody !== null && responseBody !== "" && (
        <CodeBlock
          label="Response body (first 4 KiB)"
          name={`Response body of attempt ${number}`}
          text={responseBody}
        />
      )}
    </>
  );
}

function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
