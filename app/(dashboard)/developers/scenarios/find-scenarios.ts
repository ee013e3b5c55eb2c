import type { Scenario } from "#lib/scenarios/scenario.ts";
import { listScenarios } from "#lib/scenarios/scenarios.ts";

let found: Promise<readonly Scenario[]> | undefined;

/**
 * All scenarios of the running server. Reading and checking the files takes a tenth of a second, so it is done once.
 */
export function findScenarios(): Promise<readonly Scenario[]> {
  return (found ??= listScenarios(process.cwd()));
}

/** Why scenarios cannot run here; null if they can. */
export function whyNotHere({ environment }: { environment: "sandbox" | "live" }): string | null {
  return environment === "live"
    ? "Scenarios run in a sandbox only: this server moves real money."
    : null;
}
