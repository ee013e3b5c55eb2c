import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { readScenario } from "./internal/read-scenario.ts";
import type { ScenarioFile } from "./internal/read-scenario.ts";
import type { Scenario } from "./scenario.ts";

const FOLDER = "docs/scenarios";
const ENDING = ".arazzo.yaml";
const SET_UP = `set-up${ENDING}`;

/**
 * All scenarios, sorted by title.
 * @param root the checkout, whose docs/scenarios is read.
 * @throws Error for a file outside the subset of Arazzo, or when there is none.
 */
export async function listScenarios(root: string): Promise<Scenario[]> {
  const folder = path.join(root, FOLDER);
  const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING) && name !== SET_UP);
  const setUp = await readFileIn(folder, SET_UP);
  const scenarios = await Promise.all(
    names.map(async (name) => readScenario(await readFileIn(folder, name), setUp)),
  );
  return scenarios.toSorted((a, b) => a.title.localeCompare(b.title, "en"));
}

async function readFileIn(folder: string, name: string): Promise<ScenarioFile> {
  return { name, text: await readFile(path.join(folder, name), "utf8") };
}
