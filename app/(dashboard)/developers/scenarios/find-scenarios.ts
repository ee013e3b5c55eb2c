import { cache } from "react";
import type { Scenario } from "#lib/scenarios/scenario.ts";
import { listScenarios } from "#lib/scenarios/scenarios.ts";

/** All scenarios of the running server, read once a page. */
export const findScenarios = cache((): Promise<readonly Scenario[]> =>
  listScenarios(process.cwd()),
);

/** Why scenarios cannot run here; null where they can. */
export function whyNotHere({ environment }: { environment: "sandbox" | "live" }): string | null {
  return environment === "live"
    ? "Scenarios run in a sandbox only: this server moves real money."
    : null;
}
