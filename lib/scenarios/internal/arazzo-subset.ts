import { z } from "zod";
import { parseCondition } from "../condition.ts";
import { EMBEDDED, EXPRESSION } from "../expressions.ts";
import type { Value } from "../scenario.ts";

/** The subset of Arazzo 1.0 that scenarios use. docs/scenarios/README.md describes it. */

const text = z.string().min(1);
const name = z.string().regex(/^\w+$/u, "must consist of letters, digits, and _");

const expression = z.string().regex(EXPRESSION, "must be an expression of the subset");

const isValidText = (given: string) =>
  given.startsWith("$")
    ? EXPRESSION.test(given)
    : [...given.matchAll(EMBEDDED)].every(({ groups }) =>
        EXPRESSION.test(groups?.["expression"] ?? ""),
      );

const value: z.ZodType<Value> = z.lazy(() =>
  z.union([
    z.number(),
    z.boolean(),
    z.null(),
    z.string().refine(isValidText, "must be an expression of the subset"),
    z.array(value),
    z.record(z.string(), value),
  ]),
);

const parameter = z.strictObject({
  name: text,
  in: z.enum(["path", "query", "header"]),
  value,
});

const criterion = z.strictObject({
  condition: z
    .string()
    .refine((given) => parseCondition(given) !== null, "must compare an expression with one value"),
});

const retry = z.strictObject({
  name,
  type: z.literal("retry"),
  retryAfter: z.number().min(0).max(10),
  retryLimit: z.int().min(1).max(100),
});

const requestStep = z.strictObject({
  stepId: name,
  description: text,
  operationId: name,
  parameters: z.array(parameter).default([]),
  requestBody: z.strictObject({ payload: value }).optional(),
  successCriteria: z.array(criterion).min(1),
  onFailure: z.array(retry).length(1).optional(),
  outputs: z.record(name, expression).default({}),
});

/** The set-up's `run`: the scenario's own, after a name. */
const SET_UP_RUN = /^[\w-]+-\{\$inputs\.run\}$/u;

const setUpStep = z.strictObject({
  stepId: name,
  description: text,
  workflowId: z.string().regex(/^\$sourceDescriptions\.setUp\.\w+$/u, "must name the set-up"),
  parameters: z
    .array(
      z.strictObject({
        name: z.literal("run"),
        value: z.string().regex(SET_UP_RUN, "must be a name, a hyphen, and {$inputs.run}"),
      }),
    )
    .length(1),
  outputs: z.record(name, z.string().regex(/^\$outputs\.\w+$/u, "must be an output of the set-up")),
});

const inputs = z.strictObject({
  type: z.literal("object"),
  required: z.tuple([z.literal("run")]),
  properties: z.strictObject({
    run: z.strictObject({ type: z.literal("string"), description: text }),
  }),
});

const source = z.strictObject({ name, url: text, type: z.enum(["openapi", "arazzo"]) });

const document = {
  arazzo: z.string().regex(/^1\.0\.\d+$/u, "must be a version of Arazzo 1.0"),
  info: z.strictObject({
    title: text,
    summary: text,
    description: text.optional(),
    version: text,
  }),
  sourceDescriptions: z.array(source).min(1),
};

/** A file whose one workflow is a scenario. Its first step is the set-up. */
export const scenarioFile = z.strictObject({
  ...document,
  workflows: z
    .array(
      z.strictObject({
        workflowId: name,
        inputs,
        parameters: z.array(parameter).default([]),
        steps: z.tuple([setUpStep], requestStep),
      }),
    )
    .length(1),
});

/** The file whose one workflow sets up the account of a scenario. */
export const setUpFile = z.strictObject({
  ...document,
  workflows: z
    .array(
      z.strictObject({
        workflowId: name,
        summary: text,
        inputs,
        steps: z.array(requestStep).min(1),
        outputs: z.record(name, expression),
      }),
    )
    .length(1),
});

export type RequestStep = z.output<typeof requestStep>;

/**
 * Reads a document of the subset.
 * @throws Error with one sentence for each place that is outside of it.
 */
export function readSubset<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  parsed: unknown,
): z.output<Schema> {
  const result = schema.safeParse(parsed);
  if (result.success) {
    return result.data;
  }
  const sentences = result.error.issues.map(
    ({ path, message }) => `${file}: ${path.join(".") || "The document"}: ${message}.`,
  );
  throw new Error(
    `${sentences.join("\n")}\nScenarios use a subset of Arazzo: see docs/scenarios/README.md.`.replaceAll(
      "..",
      ".",
    ),
  );
}
