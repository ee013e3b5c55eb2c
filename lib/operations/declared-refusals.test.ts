import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BUSINESS_PAIRS } from "#test/scene/declared-pairs.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { toCases } from "#test/scene/refusal-cases.ts";
import { newScene } from "#test/scene/scene.ts";
import type { Case, Scene } from "#test/scene/scene.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

/**
 * Makes every operation answer each business-state refusal that it declares, with a real request. What an operation does
 * not share with others stands beside its declaration.
 */

const FOLDER = import.meta.dirname;

const own = await readCases();
const CASES = OPERATIONS.flatMap((operation) => toCases(operation, own.get(operation.id) ?? {}));

async function readCases(): Promise<Map<string, Record<string, Case>>> {
  const files = globSync("*/*.cases.test.ts", { cwd: FOLDER });
  const modules = await Promise.all(
    files.map((file): Promise<{ operation: Operation; cases: Record<string, Case> }> => {
      return import(path.join(FOLDER, file));
    }),
  );
  return new Map(modules.map(({ operation, cases }) => [operation.id, cases]));
}

let processorKey: string;
/** For cases that leave it as it was. */
let lasting: Scene;

beforeAll(async () => {
  processorKey = await newProcessorKey();
  lasting = await newScene(processorKey);
});

/** Refusals that leave no trace: of an unknown card, and for what is undone afterwards. */
const TRACELESS = new Set(["books_unbalanced", "clock_advancing", "card_not_found"]);

describe("each operation answers the refusals that it declares", () => {
  test.each(CASES)("%s", async (pair, request) => {
    const [, code = ""] = pair.split(" ");
    const reply = await request(TRACELESS.has(code) ? lasting : await newScene(processorKey));
    expect(reply.json).toMatchObject({ code });
  });

  test("and only the overload refusals are tested elsewhere", () => {
    const expected = BUSINESS_PAIRS.filter((pair) => !pair.endsWith(" overloaded"));
    expect(CASES.map(([pair]) => pair).toSorted()).toEqual(expected.toSorted());
  });
});
