import { readFileSync } from "node:fs";
import path from "node:path";
import { readBlocks } from "#test/scene/guide-blocks.ts";

const DEPLOY = path.join(import.meta.dirname, "../../docs/deploy");

/** What a configuration says, and what a test says in its place. */
export type Places = Readonly<Record<string, string>>;

/**
 * A configuration as a guide gives it, with the test's addresses in the place of the guide's.
 *
 * @param which the guide, docs/operations.md unless named; the block's language; and a text that only this block contains.
 * @throws Error when the guide does not have the block, or a text that is to be replaced.
 */
export function readGuideConfig(
  which: { guide?: string; language: string; holding: string },
  places: Places,
): string {
  const { guide = "operations.md", language, holding } = which;
  const block = readBlocks(guide).find(
    (each) => each.language === language && each.text.includes(holding),
  );
  if (!block) {
    throw new Error(`docs/${guide} has no block of ${language} with "${holding}".`);
  }
  return replacePlaces(block.text, places);
}

/**
 * A file of docs/deploy, with the test's addresses in the place of its own.
 * @throws Error when it lacks a text that is to be replaced.
 */
export function readDeployFile(name: string, places: Places): string {
  return replacePlaces(readFileSync(path.join(DEPLOY, name), "utf8"), places);
}

function replacePlaces(text: string, places: Places): string {
  return Object.entries(places).reduce((placed, [from, to]) => {
    if (!placed.includes(from)) {
      throw new Error(`The configuration does not contain ${from}.`);
    }
    return placed.replaceAll(from, to);
  }, text);
}
