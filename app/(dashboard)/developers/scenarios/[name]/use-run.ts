import { useEffect, useRef, useState } from "react";
import { runScenario } from "#lib/scenarios/run-scenario.ts";
import type { StepProgress } from "#lib/scenarios/run-scenario.ts";
import type { Scenario } from "#lib/scenarios/scenario.ts";

/** The progress of a scenario's run. */
export interface Run {
  isRunning: boolean;
  /** By the step's id; steps that have not begun are missing. */
  progress: Readonly<Record<string, StepProgress>>;
}

const BEFORE: Run = { isRunning: false, progress: {} };

/** Runs a scenario in this browser, on this server. Leaving the page ends the run. */
export function useRun(scenario: Scenario): Run & { start: () => Promise<void> } {
  const [run, setRun] = useState(BEFORE);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async () => {
    const { signal } = (controller.current = new AbortController());
    setRun({ isRunning: true, progress: {} });
    try {
      const options = { baseUrl: `${location.origin}/api`, run: newRun(), signal };
      for await (const each of runScenario(scenario, options)) {
        setRun(({ progress }) => ({
          isRunning: true,
          progress: { ...progress, [each.step.id]: each },
        }));
      }
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    } finally {
      setRun(({ progress }) => ({ isRunning: false, progress }));
    }
  };
  return { ...run, start };
}

const RANDOM_BYTES = 12;

/** A text that no other run uses. `crypto.randomUUID` does not exist on pages loaded over plain HTTP. */
function newRun(): string {
  return [...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
