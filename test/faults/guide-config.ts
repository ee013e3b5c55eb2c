import { readBlocks } from "#test/scene/guide-blocks.ts";

const GUIDE = "operations.md";

/**
 * A configuration as docs/operations.md gives it, with the test's addresses in the place of the guide's.
 *
 * @param holding a text that only this block contains.
 * @throws Error when the guide does not have the block, or a text that is to be replaced.
 */
export function readGuideConfig(
  { language, holding }: { language: string; holding: string },
  places: Readonly<Record<string, string>>,
): string {
  const block = readBlocks(GUIDE).find(
    (each) => each.language === language && each.text.includes(holding),
  );
  if (!block) {
    throw new Error(`docs/${GUIDE} has no block of ${language} with "${holding}".`);
  }
  return Object.entries(places).reduce((placed, [from, to]) => {
    if (!placed.includes(from)) {
      throw new Error(`The configuration in docs/${GUIDE} does not contain ${from}.`);
    }
    return placed.replaceAll(from, to);
  }, block.text);
}
