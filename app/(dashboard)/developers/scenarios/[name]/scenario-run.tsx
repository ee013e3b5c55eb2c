"use client";

import type { ReactNode } from "react";
import type { Elements } from "../../../../ui/elements.ts";
import { GuardedButton } from "../../../../ui/guarded-button.tsx";
import { PageHeader } from "../../../../ui/page-header.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { StepItem } from "./step-item.tsx";
import { useRun } from "./use-run.ts";
import type { Run } from "./use-run.ts";
import type { Scenario, ScenarioStep } from "#lib/scenarios/scenario.ts";

/** A scenario as documentation. Once it runs, its steps show the responses. */
export function ScenarioRun({
  scenario,
  curls,
  disabledReason,
  note,
}: {
  scenario: Scenario;
  /** Each step's request as a command, by the step's id. */
  curls: Readonly<Record<string, string>>;
  disabledReason: string | null;
  note: Elements;
}) {
  const { start, isRunning, progress } = useRun(scenario);
  const prepared = scenario.steps.filter(({ isSetUp }) => isSetUp);
  const own = scenario.steps.filter(({ isSetUp }) => !isSetUp);
  const toItem = (step: ScenarioStep) => (
    <StepItem
      curl={curls[step.id] ?? ""}
      key={step.id}
      number={scenario.steps.indexOf(step) + 1}
      progress={progress[step.id]}
      step={step}
    />
  );
  const hasSetUpFailed = prepared.some(({ id }) => progress[id]?.state === "failed");
  return (
    <>
      <PageHeader
        action={
          <GuardedButton
            disabledReason={disabledReason}
            isPending={isRunning}
            onPress={() => void start()}
          >
            {isRunning ? "Running…" : "Run scenario"}
          </GuardedButton>
        }
        description={`${scenario.summary} ${scenario.description}`}
        title={scenario.title}
      />
      {note}
      <RunStatus run={{ isRunning, progress }} scenario={scenario} />
      <Panel flush title="Set up an account">
        <details key={String(hasSetUpFailed)} open={hasSetUpFailed}>
          <summary className="text-muted hover:text-foreground focus-visible:outline-focus cursor-pointer px-4 py-3 -outline-offset-2">{`${prepared.length} steps register an account of its own, fund its float, and issue a funded card.`}</summary>
          <ol className="border-separator divide-separator divide-y border-t">
            {prepared.map(toItem)}
          </ol>
        </details>
      </Panel>
      <Panel flush title="Steps">
        <ol className="divide-separator divide-y" start={prepared.length + 1}>
          {own.map(toItem)}
        </ol>
      </Panel>
    </>
  );
}

/** The progress of the run, in one line that screen readers announce. */
function RunStatus({ run, scenario }: { run: Run; scenario: Scenario }) {
  const failed = scenario.steps.find(({ id }) => run.progress[id]?.state === "failed");
  return (
    <p
      className={`font-medium empty:hidden ${failed ? "text-declined" : run.isRunning ? "" : "text-active"}`}
      role="status"
    >
      {toStatusLine(run, scenario, failed)}
    </p>
  );
}

function toStatusLine(
  { isRunning, progress }: Run,
  { steps }: Scenario,
  failed: ScenarioStep | undefined,
): ReactNode {
  if (failed) {
    return (
      <>
        <span>{`Failed at step ${steps.indexOf(failed) + 1}. ${progress[failed.id]?.failure ?? ""}`}</span>{" "}
        <a className="underlined-link" href={`#step-${failed.id}`}>
          Show the step
        </a>
      </>
    );
  }
  const passed = steps.filter(({ id }) => progress[id]?.state === "passed").length;
  if (isRunning) {
    return `${passed} of ${steps.length} steps passed…`;
  }
  return passed === steps.length ? `All ${passed} steps passed.` : null;
}
