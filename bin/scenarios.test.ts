import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runScenario } from "#lib/scenarios/run-scenario.ts";
import type { StepProgress } from "#lib/scenarios/run-scenario.ts";
import type { Scenario, ScenarioStep } from "#lib/scenarios/scenario.ts";
import { listScenarios } from "#lib/scenarios/scenarios.ts";
import { startScenarioServer } from "./edge/scenario-rig.ts";
import type { ScenarioServer } from "./edge/scenario-rig.ts";
import { runScenarioCommand } from "./scenario-cli.ts";
import { ROOT } from "#db/root.ts";

/** The address of the server, which the inbox's address names, and its environment. */
const served = vi.hoisted(() => ({ PUBLIC_URL: "", environment: "sandbox" }));

vi.mock("#lib/base/env.ts", async (original) => {
  const real = await original<{ readEnv(source: object): object }>();
  return {
    ...real,
    env: () => ({
      ...real.readEnv({ ...process.env, PUBLIC_URL: served.PUBLIC_URL }),
      environment: served.environment,
    }),
  };
});

/** Every scenario, through our runner, against a real server. Each one says what it promises. */

const SCENARIOS = await listScenarios(ROOT);

let server: ScenarioServer;

beforeAll(async () => {
  server = await startScenarioServer(served);
});

afterAll(() => server.stop());

test("there are twelve scenarios or more", () => {
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(12);
});

test.each(SCENARIOS)("$title", async (scenario) => {
  const ended = await run(scenario);
  expect(ended.map(({ step, state, failure }) => [step.id, state, failure])).toEqual(
    scenario.steps.map(({ id }) => [id, "passed", null]),
  );
});

describe("a step that fails is the last one, and says why", () => {
  /** Asks for the server's health, without registering anybody: registrations are limited. */
  const step: ScenarioStep = {
    id: "checkHealth",
    description: "The server is ready.",
    isSetUp: false,
    operation: "getReadiness",
    method: "GET",
    path: "/health/ready",
    parameters: [],
    criteria: ["$statusCode == 200"],
    retry: null,
    outputs: {},
  };
  const toScenario = (changed: Partial<ScenarioStep>): Scenario => ({
    name: "health",
    title: "Health",
    summary: "",
    description: "",
    steps: [
      { ...step, ...changed },
      { ...step, id: "checkAgain" },
    ],
  });

  test("when the response is another, with what was expected and what came", async () => {
    const [only, ...later] = await run(toScenario({ criteria: ["$statusCode == 204"] }));
    expect(only).toMatchObject({
      state: "failed",
      failure: "Expected $statusCode == 204, but it was 200.",
      checks: [{ passed: false, expected: 204, actual: 200 }],
    });
    expect(later).toEqual([]);
  });

  test("when the server refuses, in the server's words", async () => {
    const [only] = await run(toScenario({ path: "/cards" }));
    expect(only?.failure).toMatch(/^Expected \$statusCode == 200, but it was 401\. \S/u);
  });

  test("when the response lacks what later steps need", async () => {
    const [only] = await run(toScenario({ outputs: { none: "$response.body#/data/none" } }));
    expect(only?.failure).toBe(
      "The response has no $response.body#/data/none, which later steps need.",
    );
  });

  test("after it was repeated as often as it says", async () => {
    const criteria = ["$statusCode == 204"];
    const [only] = await run(toScenario({ criteria, retry: { afterS: 0, limit: 2 } }));
    expect([only?.state, only?.attempts]).toEqual(["failed", 3]);
  });

  test("when no server is there", async () => {
    const origin = await findUnusedOrigin();
    const [only] = await run(toScenario({}), `${origin}/api`);
    expect(only?.failure).toBe(
      `No response came from ${origin}: connect ECONNREFUSED ${origin.replace("http://", "")}.`,
    );
  });
});

describe("npm run scenario", () => {
  test("runs a scenario by its name and prints each step with its request and verdict", async () => {
    const { code, out, err } = await command("the-same-key-twice");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^The same key twice\n/u);
    expect(out).toMatch(/\n {2}ok {6}checkCard {13}GET \/api\/cards\/[\da-f-]{36} → 200\n/u);
    expect(out).toMatch(/passed in \d+\.\d s\n\n1 passed, 0 failed\n$/u);
  });

  test("lists every scenario by name", async () => {
    const { code, out } = await command("--list");
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(" ")[0])).toEqual([
      ...SCENARIOS.map(({ name }) => name),
      "",
    ]);
  });

  test("takes the server as the guides' BASE_URL, too", async () => {
    const url = `${server.origin}/api/`;
    expect(await command("refund-after-close", "--base-url", url)).toMatchObject({ code: 0 });
  });

  test("says which scenario, option, or URL is wrong", async () => {
    expect(await command("nonsense")).toEqual({
      code: 2,
      out: "",
      err: "floatdeck: There is no scenario nonsense; see --list.\n",
    });
    expect((await command("--nonsense")).err).toMatch(
      /Unknown option '--nonsense'.* See --help\.\n$/u,
    );
    expect((await command("--base-url", "nowhere")).err).toBe(
      'floatdeck: --base-url must be an http(s) URL, not "nowhere".\n',
    );
  });

  test("fails with one sentence when no server is there", async () => {
    const origin = await findUnusedOrigin();
    const { code, err } = await command("--base-url", origin);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^floatdeck: No response came from \S+: connect ECONNREFUSED \S+ Start it with npm start, or name another with --base-url\.\n$/u,
    );
  });

  test("fails with one sentence when the server is live", async () => {
    served.environment = "live";
    try {
      expect(await command("refund-after-close")).toMatchObject({
        code: 1,
        err: `floatdeck: The server at ${server.origin} is live. Scenarios run in a sandbox only.\n`,
      });
    } finally {
      served.environment = "sandbox";
    }
  });
});

async function command(...args: string[]) {
  const printed = { out: "", err: "" };
  const code = await runScenarioCommand(
    args,
    { PUBLIC_URL: server.origin },
    { out: (text) => (printed.out += text), err: (text) => (printed.err += text) },
  );
  return { code, ...printed };
}

/** An address on which nobody listens. */
async function findUnusedOrigin(): Promise<string> {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const address = gone.address();
  gone.close();
  await once(gone, "close");
  return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
}

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
