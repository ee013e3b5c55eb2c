import path from "node:path";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { toCurl, toVariable } from "./to-curl.ts";
import type { ScenarioStep } from "#lib/scenarios/scenario.ts";
import { listScenarios } from "#lib/scenarios/scenarios.ts";

const ROOT = path.join(import.meta.dirname, "../../../../..");

const STEP: ScenarioStep = {
  id: "unfreeze",
  description: "Unfreeze the card.",
  isSetUp: false,
  operation: "unfreezeCard",
  method: "PATCH",
  path: "/cards/{id}/unfreeze",
  parameters: [
    { name: "Authorization", in: "header", value: "Bearer {$steps.register.outputs.apiKey}" },
    { name: "id", in: "path", value: "$steps.issueCard.outputs.cardId" },
    { name: "limit", in: "query", value: 3 },
  ],
  body: { status_version: "$steps.freeze.outputs.frozenVersion", comment: "It's {$inputs.run}" },
  criteria: ["$statusCode == 200"],
  retry: null,
  outputs: {},
};

const OPTIONS = {
  baseUrl: "http://own.example/api",
  isNumber: (member: string) => member === "status_version",
};

test("what earlier steps have kept are variables, and numbers are not quoted", () => {
  expect(toCurl(STEP, OPTIONS).split(" \\\n  ")).toEqual([
    "curl -X PATCH",
    '"http://own.example/api/cards/$CARD_ID/unfreeze?limit=3"',
    '-H "Authorization: Bearer $API_KEY"',
    '-H "Content-Type: application/json"',
    String.raw`-d '{"status_version":'$FROZEN_VERSION',"comment":"It'\''s '$RUN'"}'`,
  ]);
});

test("a header is what the scenario says, whatever characters it has", () => {
  const value = 'a"b`c\\d$e {$inputs.run}s';
  const step: ScenarioStep = { ...STEP, parameters: [{ name: "X", in: "header", value }] };
  const script = `curl() { printf '%s' "$5"; }; RUN=7; ${toCurl(step, OPTIONS)}`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe(
    `X: ${value.replace("{$inputs.run}", "7")}`,
  );
});

test("a variable is named after its output", () => {
  expect(toVariable("$inputs.run")).toBe("RUN");
  expect(toVariable("$steps.issueCard.outputs.cardId")).toBe("CARD_ID");
});

test("every step of every scenario is one command, whose body is JSON once its variables are set", async () => {
  const scenarios = await listScenarios(ROOT);
  const sending = scenarios.flatMap(({ steps }) =>
    steps
      .filter(({ body }) => body !== undefined)
      .map((step) => ({ step, command: `${toVariables(steps)} ${toCurl(step, OPTIONS)}` })),
  );
  // One shell for all: starting one takes longer than what it does. Each command has variables of its own.
  const script = [
    "set -eu",
    `curl() { printf '%s\\0' "\${@: -1}"; }`,
    ...sending.map(({ command }) => `( ${command} )`),
  ].join("\n");
  const printed = execFileSync("bash", ["-c", script], { encoding: "utf8" });
  const sent = printed.split("\0").slice(0, -1);
  expect(sent.map((body) => Object.keys(Object(JSON.parse(body))))).toEqual(
    sending.map(({ step }) => Object.keys(Object(step.body))),
  );
});

function toVariables(steps: readonly ScenarioStep[]): string {
  const names = steps.flatMap(({ outputs }) =>
    Object.keys(outputs).map((name) => toVariable(`$steps.any.outputs.${name}`)),
  );
  return ["RUN", ...names].map((name) => `${name}=7;`).join(" ");
}
