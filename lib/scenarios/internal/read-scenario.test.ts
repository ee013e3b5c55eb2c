import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { readScenario } from "./read-scenario.ts";

const FOLDER = path.join(import.meta.dirname, "../../../docs/scenarios");
const NAME = "freeze-stops-spending.arazzo.yaml";
const SET_UP = read("set-up.arazzo.yaml");

function read(name: string) {
  return { name, text: readFileSync(path.join(FOLDER, name), "utf8") };
}

/** The scenario after a change of its document. */
function readChanged(change: (document: Changeable) => void) {
  const document = parse(read(NAME).text);
  change(document);
  return () => readScenario({ name: NAME, text: stringify(document) }, SET_UP);
}

type Step = Record<string, unknown>;

interface Changeable {
  arazzo: string;
  workflows: [{ steps: [Step, Step, ...Step[]]; successActions?: unknown }];
}

describe("a scenario", () => {
  const scenario = readScenario(read(NAME), SET_UP);

  test("begins with the steps of its set-up, and refers to their outputs", () => {
    const register = scenario.steps[0];
    expect([register?.operation, register?.isSetUp]).toEqual(["registerIntegrator", true]);
    expect(JSON.stringify(register?.body)).toContain("freeze-stops-spending-{$inputs.run}");
    const own = scenario.steps.find(({ isSetUp }) => !isSetUp);
    expect(own?.parameters).toEqual([
      { name: "Authorization", in: "header", value: "Bearer {$steps.register.outputs.apiKey}" },
      { name: "id", in: "path", value: "$steps.issueCard.outputs.cardId" },
    ]);
  });

  test("is plain JSON, so that a page can send it to the browser", () => {
    expect(JSON.parse(JSON.stringify(scenario))).toEqual(scenario);
  });
});

describe("a file outside the subset is refused with its place", () => {
  test.each<[string, (document: Changeable) => void, RegExp]>([
    [
      "a later version of Arazzo",
      (document) => {
        document.arazzo = "1.1.0";
      },
      /spending\.arazzo\.yaml: arazzo: must be a version of Arazzo 1\.0\./u,
    ],
    [
      "a member of a workflow that our runner does not know",
      ({ workflows: [workflow] }) => {
        workflow.successActions = [];
      },
      /workflows\.0: Unrecognized key: "successActions"\./u,
    ],
    [
      "a step that ends the workflow early",
      ({ workflows: [{ steps }] }) => {
        steps[1]["onSuccess"] = [{ name: "done", type: "end" }];
      },
      /workflows\.0\.steps\.1: Unrecognized key: "onSuccess"\..*docs\/scenarios\/README\.md/su,
    ],
    [
      "two comparisons in one condition",
      ({ workflows: [{ steps }] }) => {
        steps[1]["successCriteria"] = [{ condition: "$statusCode == 200 && $statusCode == 201" }];
      },
      /successCriteria\.0\.condition: must compare an expression with one value\./u,
    ],
    [
      "an expression that is not in the subset",
      ({ workflows: [{ steps }] }) => {
        steps[1]["outputs"] = { url: "$url" };
      },
      /outputs\.url: must be an expression of the subset\./u,
    ],
  ])("%s", (_, change, sentence) => {
    expect(readChanged(change)).toThrow(sentence);
  });

  test.each<[string, (step: Step) => void, string]>([
    [
      "an operation that does not exist",
      (step) => {
        step["operationId"] = "chargeCard";
      },
      `${NAME}: step buy: chargeCard is not an operation that an API key can call.`,
    ],
    [
      "an operation for staff",
      (step) => {
        step["operationId"] = "revealWebhookSecret";
      },
      `${NAME}: step buy: revealWebhookSecret is not an operation that an API key can call.`,
    ],
    [
      "a path without its parameter",
      (step) => {
        step["parameters"] = [];
      },
      `${NAME}: step buy: the path /cards/{id}/mock-transaction and its parameters do not match.`,
    ],
    [
      "an output of a later step",
      (step) => {
        step["requestBody"] = { payload: "$steps.buyWhileFrozen.outputs.declinedId" };
      },
      `${NAME}: step buy: $steps.buyWhileFrozen.outputs.declinedId is not known yet.`,
    ],
    [
      "an output that the set-up does not have",
      (step) => {
        step["requestBody"] = { payload: "$steps.account.outputs.floatId" };
      },
      `${NAME}: the set-up has no output floatId.`,
    ],
    [
      "a name that another output has",
      (step) => {
        step["outputs"] = { cardId: "$response.body#/data/id" };
      },
      `${NAME}: step buy: the name cardId is taken.`,
    ],
  ])("%s", (_, change, sentence) => {
    expect(readChanged(({ workflows: [{ steps }] }) => change(steps[1]))).toThrow(sentence);
  });
});
