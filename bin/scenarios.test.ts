import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runScenario } from "#lib/scenarios/run-scenario.ts";
import type { StepProgress } from "#lib/scenarios/run-scenario.ts";
import type { Scenario, ScenarioStep } from "#lib/scenarios/scenario.ts";
import { listScenarios } from "#lib/scenarios/scenarios.ts";
import { startScenarioServer } from "./edge/scenario-server.ts";
import type { ScenarioServer } from "./edge/scenario-server.ts";
import { ROOT } from "./steps.ts";

/** The port of the server, which the inbox's address names. */
const served = vi.hoisted(() => ({ port: 0 }));

vi.mock("#lib/base/env.ts", async (original) => {
  const real = await original<{ readEnv(source: object): object }>();
  return {
    ...real,
    env: () =>
      real.readEnv({ ...process.env, PUBLIC_URL: `http://127.0.0.1:${String(served.port)}` }),
  };
});

/** Every scenario, through our runner, against a real server. Each one says what it promises. */

const SCENARIOS = await listScenarios(ROOT);

let server: ScenarioServer;

beforeAll(async () => {
  server = await startScenarioServer(served);
});

afterAll(() => server.stop());

test("there are twelve scenarios", () => {
  expect(SCENARIOS).toHaveLength(12);
});

test.each(SCENARIOS)("$title", async (scenario) => {
  const ended = await run(scenario);
  expect(ended.map(({ step, state, failure }) => [step.id, state, failure])).toEqual(
    scenario.steps.map(({ id }) => [id, "passed", null]),
  );
});

describe("a step that fails is the last one, and says why", () => {
  const [first] = SCENARIOS;
  const [register, ...others] = first?.steps ?? [];
  const toScenario = (changed: Partial<ScenarioStep>): Scenario => ({
    ...demand(first),
    steps: [{ ...demand(register), ...changed }, ...others],
  });

  test("when the response is another, with what was expected and what came", async () => {
    const [only, ...later] = await run(toScenario({ criteria: ["$statusCode == 204"] }));
    expect(only).toMatchObject({
      state: "failed",
      failure: "Expected $statusCode == 204, but it was 201.",
      checks: [{ passed: false, expected: 204, actual: 201 }],
    });
    expect(later).toEqual([]);
  });

  test("when the server refuses, in the server's words", async () => {
    const [only] = await run(toScenario({ body: {} }));
    expect(only?.failure).toMatch(/^Expected \$statusCode == 201, but it was 422\. \S/u);
  });

  test("when the response lacks what later steps need", async () => {
    const [only] = await run(toScenario({ outputs: { none: "$response.body#/data/none" } }));
    expect(only?.failure).toBe(
      "The response has no $response.body#/data/none, which later steps need.",
    );
  });

  test("after it was repeated as often as it says", async () => {
    const criteria = ["$statusCode == 204"];
    const [only] = await run(toScenario({ criteria, body: {}, retry: { afterS: 0, limit: 2 } }));
    expect([only?.state, only?.attempts]).toEqual(["failed", 3]);
  });

  test("when no server is there", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const address = gone.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const origin = `http://127.0.0.1:${port}`;
    gone.close();
    await once(gone, "close");
    const [only] = await run(toScenario({}), `${origin}/api`);
    expect(only?.failure).toBe(
      `No response came from ${origin}: connect ECONNREFUSED ${origin.replace("http://", "")}.`,
    );
  });
});

/** Runs a scenario. @returns the end of each step that began. */
async function run(
  scenario: Scenario,
  baseUrl = `${server.origin}/api`,
): Promise<readonly StepProgress[]> {
  const last = new Map<string, StepProgress>();
  for await (const progress of runScenario(scenario, { baseUrl, run: randomUUID() })) {
    last.set(progress.step.id, progress);
  }
  return [...last.values()];
}

function demand<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("The scenario is empty.");
  }
  return value;
}
