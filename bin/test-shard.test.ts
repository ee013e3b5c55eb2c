import { createVitest } from "vitest/node";
import { expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { read, command } from "./steps.ts";
import { toShardArguments } from "./test-shard.ts";

test.each(["0/2", "3/2", "1", "1/0", "2/", "1/2/3", "one/two", ""])(
  "%s is no part of all tests",
  (shard) => {
    expect(toShardArguments(shard)).toBeNull();
  },
);

/** The files that vitest runs of a part of all unit and integration tests. */
async function listFiles(shard?: string): Promise<string[]> {
  const config = { root: ROOT, config: "test/vitest.config.ts", watch: false };
  const vitest = await createVitest("test", { ...config, ...(shard ? { shard } : {}) });
  try {
    const all = await vitest.globTestSpecifications();
    const { sequencer: Sequencer } = vitest.config.sequence;
    const part = shard ? await new Sequencer(vitest).shard(all) : all;
    return part.map(({ moduleId }) => moduleId);
  } finally {
    await vitest.close();
  }
}

/** The tests that Playwright runs of a part of all browser tests. */
async function listBrowserTests(shard?: string): Promise<string[]> {
  const args = ["test", "--config=e2e/playwright.config.ts", "--list", "--reporter=list"];
  const printed = await read(command("playwright"), [...args, ...(toShardArguments(shard) ?? [])]);
  return printed.split("\n").filter((line) => line.includes(".spec.ts:"));
}

test.each([
  ["unit and integration tests", listFiles],
  ["browser tests", listBrowserTests],
])("two halves run each of the %s once", async (_kind, list) => {
  const [all, first, second] = [await list(), await list("1/2"), await list("2/2")];
  expect(all.length).toBeGreaterThan(200);
  expect([...first, ...second].toSorted()).toEqual(all.toSorted());
  expect(first.length).toBeLessThan(all.length);
  expect(second.length).toBeLessThan(all.length);
});
