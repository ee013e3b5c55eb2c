import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startScenarioServer } from "./edge/scenario-rig.ts";
import type { ScenarioServer } from "./edge/scenario-rig.ts";
import { ROOT } from "#db/root.ts";
import { command } from "./steps.ts";

/** The address of the server, which the inbox's address names. */
const settings = vi.hoisted(() => ({ PUBLIC_URL: "" }));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, settings);
});

/** Every scenario, through Redocly's runner: the files are Arazzo, and not only what our own runner makes of them. */

const FOLDER = path.join(ROOT, "docs/scenarios");
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".arazzo.yaml"));
const SET_UP = "set-up.arazzo.yaml";
/** How many requests the set-up sends before a scenario begins. */
const SET_UP_STEPS = 5;

const OUTPUT_MAX = 16 * 1_024 * 1_024;

/** The server that the files name; a reader's own. */
const NAMED_ORIGIN = "http://localhost:3000";

const copies = mkdtempSync(path.join(tmpdir(), "floatdeck-scenarios-"));
const REPORT = path.join(copies, "report.json");
let server: ScenarioServer;

beforeAll(async () => {
  server = await startScenarioServer(settings);
  for (const name of FILES) {
    const text = readFileSync(path.join(FOLDER, name), "utf8");
    writeFileSync(path.join(copies, name), text.replaceAll(NAMED_ORIGIN, server.origin));
  }
});

afterAll(async () => {
  await server.stop();
  rmSync(copies, { recursive: true, force: true });
});

test("every scenario is Arazzo and passes, and each response is as the OpenAPI document says", async () => {
  const scenarios = FILES.filter((name) => name !== SET_UP);
  const args = [...scenarios, "--input", `run=${randomUUID()}`, "--json-output", REPORT];
  await runRespect(args);
  const { files }: { files: Record<string, { executedWorkflows: Executed[] }> } = JSON.parse(
    readFileSync(REPORT, "utf8"),
  );
  expect(Object.keys(files).toSorted()).toEqual(scenarios.toSorted());
  for (const [name, { executedWorkflows }] of Object.entries(files)) {
    const steps = executedWorkflows.flatMap((workflow) => listSteps(workflow));
    const last = new Map(steps.map((step) => [step.stepId, step]));
    const failed = [...last.values()].filter(({ status }) => status !== "success");
    expect([name, failed]).toEqual([name, []]);
    expect(last.size).toBeGreaterThan(SET_UP_STEPS);
  }
});

/** What respect reports of a workflow or a step. */
interface Executed {
  type: "workflow" | "step";
  stepId: string;
  status: string;
  executedSteps?: Executed[];
}

function listSteps(executed: Executed): Executed[] {
  return executed.type === "step"
    ? [executed]
    : (executed.executedSteps ?? []).flatMap((each) => listSteps(each));
}

/** Runs respect. A scenario that fails is in its report. @throws what it printed, when it wrote no report. */
async function runRespect(args: readonly string[]): Promise<void> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd: copies, env, maxBuffer: OUTPUT_MAX };
  try {
    await promisify(execFile)(command("redocly"), ["respect", ...args], options);
  } catch (error) {
    if (!existsSync(REPORT)) {
      throw error;
    }
  }
}
