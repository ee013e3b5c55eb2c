import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { Link } from "../../../../ui/link.tsx";
import { CodeBlock, JsonBlock } from "../../../../ui/code-block.tsx";
import { toExpectation, toPlace } from "./to-expectation.ts";
import { toVariable } from "./to-curl.ts";
import type { StepProgress } from "#lib/scenarios/run-scenario.ts";
import type { ScenarioStep } from "#lib/scenarios/scenario.ts";

const CODE = "font-mono text-xs wrap-anywhere";

/** One step: what it does, its request as a command, what it expects; and the request and response of a run. */
export function StepItem({
  step,
  number,
  curl,
  progress,
}: {
  step: ScenarioStep;
  number: number;
  curl: string;
  progress: StepProgress | undefined;
}) {
  return (
    <li
      aria-label={`Step ${number}`}
      className="flex scroll-mt-16 flex-col gap-3 px-4 py-4"
      id={`step-${step.id}`}
    >
      <div className="flex items-start justify-between gap-4">
        <p className="leading-6">
          <span className="text-muted me-2 tabular-nums">{number}</span>
          <span>{step.description}</span>
        </p>
        {progress && <StepState progress={progress} />}
      </div>
      <div className="grid grid-cols-1 gap-x-6 gap-y-3 lg:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-2">
          <CodeBlock label="curl" name={`curl of step ${number}`} text={curl} />
          <Link
            className="underlined-link self-start text-xs"
            href={`/docs/api/${step.operation}`}
          >{`${step.method} ${step.path}`}</Link>
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <Expectations progress={progress} step={step} />
          <Kept step={step} />
        </div>
      </div>
      {progress && <RequestAndResponse number={number} progress={progress} />}
    </li>
  );
}

const STATES = {
  running: { icon: LoaderCircle, word: "Running", look: "text-pending" },
  passed: { icon: CircleCheck, word: "Passed", look: "text-active" },
  failed: { icon: CircleX, word: "Failed", look: "text-declined" },
} as const;

function StepState({ progress: { state, attempts } }: { progress: StepProgress }) {
  const { icon: Icon, word, look } = STATES[state];
  return (
    <span className={`inline-flex shrink-0 items-center gap-1 text-xs/6 font-medium ${look}`}>
      <Icon
        aria-hidden
        className={`size-4 ${state === "running" ? "motion-safe:animate-spin" : ""}`}
      />
      <span>{word}</span>
      {attempts > 1 && <span className="text-muted font-normal">{`attempt ${attempts}`}</span>}
    </span>
  );
}

/** The expectations for the response, each with its result once there is a response. */
function Expectations({
  step,
  progress,
}: {
  step: ScenarioStep;
  progress: StepProgress | undefined;
}) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted text-xs font-medium">
        {step.retry === null ? "Expected response" : "Expected response, repeated until it comes"}
      </p>
      <ul className="flex flex-col gap-1">
        {step.criteria.map((condition) => {
          const { what, relation, value } = toExpectation(condition);
          const check = progress?.checks.find((each) => each.condition === condition);
          return (
            <li className="leading-5" key={condition}>
              {check && <Verdict passed={check.passed} />}
              <code className={CODE}>{what}</code> <span>{relation}</span>{" "}
              <code className={CODE}>{value}</code>
              {check?.passed === false && (
                <span className="text-declined">
                  , but it was <code className={CODE}>{JSON.stringify(check.actual)}</code>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Verdict({ passed }: { passed: boolean }) {
  const { icon: Icon, word, look } = STATES[passed ? "passed" : "failed"];
  return (
    <>
      <Icon aria-hidden className={`me-1.5 mb-0.5 inline size-3.5 ${look}`} />
      <span className="sr-only">{`${word}: `}</span>
    </>
  );
}

/** The variables that later steps use. */
function Kept({ step: { outputs } }: { step: ScenarioStep }) {
  const kept = Object.entries(outputs);
  return kept.length === 0 ? null : (
    <div className="flex flex-col gap-1">
      <p className="text-muted text-xs font-medium">Keep for later steps</p>
      <ul className="flex flex-col gap-1">
        {kept.map(([name, expression]) => (
          <li className="leading-5" key={name}>
            <code className={CODE}>{toVariable(`$steps.any.outputs.${name}`)}</code> is{" "}
            <code className={CODE}>{toPlace(expression)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The request as sent and the response as received; expanded if something is wrong. */
function RequestAndResponse({ progress, number }: { progress: StepProgress; number: number }) {
  const { response, state, failure } = progress;
  return (
    <details key={String(state === "failed")} open={state === "failed"}>
      <summary className="text-muted hover:text-foreground focus-visible:outline-focus w-fit cursor-pointer outline-offset-2">
        {toSummary(progress)}
      </summary>
      <div className="mt-3 grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <CodeBlock
          label="Request"
          name={`Request of step ${number}`}
          text={toRequestText(progress)}
        />
        {response === null ? (
          <p className="text-declined">{failure}</p>
        ) : (
          <JsonBlock
            label={`Response ${response.status} of step ${number}`}
            text={typeof response.body === "string" ? response.body : JSON.stringify(response.body)}
          />
        )}
      </div>
    </details>
  );
}

function toRequestText({ request: { method, url, headers, body } }: StepProgress): string {
  const { pathname, search } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const sent = body === null ? [] : ["", JSON.stringify(JSON.parse(body), null, 2)];
  return [`${method} ${pathname}${search}`, ...lines, ...sent].join("\n");
}

function toSummary({ response, state }: StepProgress): string {
  if (response === null) {
    return state === "running" ? "Request sent" : "Request without a response";
  }
  return `Request and response ${response.status}`;
}
