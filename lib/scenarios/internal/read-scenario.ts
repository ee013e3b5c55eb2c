import { parse } from "yaml";
import { readSubset, scenarioFile, setUpFile } from "./arazzo-subset.ts";
import type { RequestStep } from "./arazzo-subset.ts";
import { parseCondition } from "../condition.ts";
import { EMBEDDED } from "../expressions.ts";
import type { Scenario, ScenarioStep, StepParameter, Value } from "../scenario.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

/** A file of docs/scenarios. */
export interface ScenarioFile {
  name: string;
  text: string;
}

/**
 * Reads a scenario. The steps of its set-up come first, as if they were its own.
 * @throws Error for a document outside the subset, with a sentence that names the file and the place.
 */
export function readScenario(file: ScenarioFile, setUp: ScenarioFile): Scenario {
  const { info, workflows } = readSubset(file.name, scenarioFile, parse(file.text));
  const [workflow] = workflows;
  if (!workflow) {
    throw new Error(`${file.name} has no workflow.`);
  }
  const { steps: prepared, outputs } = readSetUp(setUp);
  const [account, ...own] = workflow.steps;
  const toOwnExpression = substitute(file.name, account, outputs);
  const steps = own.map((step) =>
    toStep(file.name, step, { shared: workflow.parameters, isSetUp: false }),
  );
  const scenario = {
    name: file.name.replace(/\.arazzo\.yaml$/u, ""),
    title: info.title,
    summary: info.summary,
    description: info.description ?? "",
    steps: [
      ...prepared.map((step) => mapTexts(step, toSetUpRun(account))),
      ...steps.map((step) => mapTexts(step, toOwnExpression)),
    ],
  };
  requireKnownReferences(file.name, scenario.steps);
  return scenario;
}

function readSetUp(file: ScenarioFile) {
  const { workflows } = readSubset(file.name, setUpFile, parse(file.text));
  const [workflow] = workflows;
  if (!workflow) {
    throw new Error(`${file.name} has no workflow.`);
  }
  const steps = workflow.steps.map((step) =>
    toStep(file.name, step, { shared: [], isSetUp: true }),
  );
  return { steps, outputs: workflow.outputs };
}

/** Replaces the set-up's `run` with the value that the scenario gives it. */
function toSetUpRun({
  parameters,
}: {
  parameters: readonly { value: string }[];
}): (text: string) => string {
  return (text) => text.replaceAll("{$inputs.run}", () => parameters[0]?.value ?? "");
}

/** Replaces references to outputs of the set-up step with the outputs of the steps behind it. */
function substitute(
  file: string,
  account: { stepId: string; outputs: Readonly<Record<string, string>> },
  provided: Readonly<Record<string, string>>,
): (text: string) => string {
  const reference = new RegExp(String.raw`\$steps\.${account.stepId}\.outputs\.(?<name>\w+)`, "gu");
  return (text) =>
    text.replaceAll(reference, (_, name: string) => {
      const output = account.outputs[name]?.replace("$outputs.", "");
      const expression = output === undefined ? undefined : provided[output];
      if (expression === undefined) {
        throw new Error(`${file}: the set-up has no output ${name}.`);
      }
      return expression;
    });
}

function toStep(
  file: string,
  step: RequestStep,
  { shared, isSetUp }: { shared: readonly StepParameter[]; isSetUp: boolean },
): ScenarioStep {
  const operation = OPERATIONS.find(({ id }) => id === step.operationId);
  if (!operation || operation.staffOnly || operation.kind === "processor") {
    throw new Error(
      `${file}: step ${step.stepId}: ${step.operationId} is not an operation that an API key can call.`,
    );
  }
  const [again] = step.onFailure ?? [];
  const parameters = [...shared, ...step.parameters];
  requirePathParameters(file, step.stepId, { path: operation.path, parameters });
  return {
    id: step.stepId,
    description: step.description,
    isSetUp,
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    parameters,
    ...(step.requestBody ? { body: step.requestBody.payload } : {}),
    criteria: step.successCriteria.map(({ condition }) => condition),
    retry: again ? { afterS: again.retryAfter, limit: again.retryLimit } : null,
    outputs: step.outputs,
  };
}

function requirePathParameters(
  file: string,
  stepId: string,
  { path, parameters }: { path: string; parameters: readonly StepParameter[] },
): void {
  const names = [...path.matchAll(/\{(?<name>\w+)\}/gu)].map(({ groups }) => groups?.["name"]);
  const given = parameters.filter((each) => each.in === "path").map(({ name }) => name);
  // No path of the API has more than one parameter.
  if (names.join(",") !== given.join(",")) {
    throw new Error(`${file}: step ${stepId}: the path ${path} and its parameters do not match.`);
  }
}

/** Requires that steps refer only to outputs of earlier steps, and that the names of steps and outputs are unique. */
function requireKnownReferences(file: string, steps: readonly ScenarioStep[]): void {
  const known = new Set<string>(["$inputs.run", "$statusCode"]);
  const names = new Set<string>();
  for (const step of steps) {
    const expected = step.criteria.flatMap((condition) => toOperands(condition));
    const used = [...listExpressions([...step.parameters, step.body ?? null]), ...expected];
    const unknown = used.find((each) => !each.startsWith("$response.") && !known.has(each));
    if (unknown !== undefined) {
      throw new Error(`${file}: step ${step.id}: ${unknown} is not known yet.`);
    }
    for (const name of [step.id, ...Object.keys(step.outputs)]) {
      if (names.has(name)) {
        throw new Error(`${file}: step ${step.id}: the name ${name} is taken.`);
      }
      names.add(name);
    }
    for (const output of Object.keys(step.outputs)) {
      known.add(`$steps.${step.id}.outputs.${output}`);
    }
  }
}

function toOperands(condition: string): string[] {
  const { left = "", right = "" } = parseCondition(condition) ?? {};
  return [left, right].filter((each) => each.startsWith("$"));
}

/** The expressions in texts, at any depth. */
function listExpressions(value: unknown): string[] {
  if (typeof value === "string") {
    return value.startsWith("$")
      ? [value]
      : [...value.matchAll(EMBEDDED)].map(({ groups }) => groups?.["expression"] ?? "");
  }
  return typeof value === "object" && value !== null
    ? Object.values<unknown>({ ...value }).flatMap((each) => listExpressions(each))
    : [];
}

/** A step with all of its texts replaced, except its names. */
function mapTexts(step: ScenarioStep, replace: (text: string) => string): ScenarioStep {
  return {
    ...step,
    parameters: step.parameters.map((each) => ({ ...each, value: mapValue(each.value, replace) })),
    ...(step.body === undefined ? {} : { body: mapValue(step.body, replace) }),
    criteria: step.criteria.map(replace),
  };
}

function mapValue(value: Value, replace: (text: string) => string): Value {
  if (typeof value === "string") {
    return replace(value);
  }
  if (Array.isArray(value)) {
    return value.map((each: Value) => mapValue(each, replace));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, mapValue(each, replace)]),
      )
    : value;
}
