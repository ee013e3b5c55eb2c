import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findAffected, listChanged, listUntraceable } from "./test-affected.ts";
import { ProcessorSeconds } from "./processor-seconds.ts";
import { readArguments } from "./script-arguments.ts";
import { command, read, run, say, step } from "./steps.ts";
import { describeSlowest, findOverBudget, readCosts } from "./test-costs.ts";
import { readResults } from "./test-results.ts";
import type { TestResults } from "./test-results.ts";
import { findFailedSkips } from "./test-skips.ts";
import { toShardArguments } from "./test-shard.ts";

const { changed, base, shard } = readArguments({
  usage: "npm test -- [options]",
  summary: "Run every check and test except the fault tests",
  options: {
    changed: { type: "boolean", about: "only what a change since --base can affect" },
    base: { type: "string", default: "main", about: "the branch or commit to compare with" },
    shard: { type: "string", about: "a part, such as 1/2; another machine runs 2/2" },
  },
}).values;
const part = changed && shard !== undefined ? null : toShardArguments(shard);
if (part === null) {
  say("--shard must be a part of all tests, such as 1/2, and cannot be given with --changed.");
  process.exit(2);
}
/** Whether all tests run, so that a test that did not run no longer exists. */
const isWhole = !changed && shard === undefined;

const reports = mkdtempSync(path.join(tmpdir(), "floatdeck-reports-"));
const unitReport = path.join(reports, "unit.json");
const browserReport = path.join(reports, "browser.json");
const costsReport = path.join(reports, "costs.json");
try {
  process.exitCode = await test(part);
} finally {
  rmSync(reports, { recursive: true, force: true });
}

/**
 * Runs checks, unit and integration tests, and then the browser tests against the production build. The last
 * lines name what failed, and count.
 */
async function test(shardArguments: readonly string[]): Promise<number> {
  const processorSeconds = new ProcessorSeconds();
  const checked = await step("Checks", () => run(process.execPath, ["bin/check.ts"]));
  const results = changed ? await testChanged() : await testAll(shardArguments);
  const costs = readCosts(costsReport);
  say(processorSeconds.stop());
  say("The slowest files of the unit and integration tests:");
  for (const line of describeSlowest(costs)) {
    say(line);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = [
    ...results.flatMap((result) => [...result.failed, ...findFailedSkips(result)]),
    ...(isWhole ? findOverBudget(costs) : []),
  ];
  if (!checked) {
    say("The checks failed.");
  }
  for (const name of failed) {
    say(`FAILED: ${name}`);
  }
  process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  return checked && failed.length === 0 && (changed || passed > 0) ? 0 : 1;
}

/**
 * The pages are built while unit tests wait, and yield to them. The preparation that both need is made first, so that
 * it is made only once.
 */
async function testAll(shardArguments: readonly string[]): Promise<TestResults[]> {
  const isPrepared = await step("Preparation", () =>
    run(process.execPath, ["bin/prepare-testing.ts", "--api-only"]),
  );
  const building = run("nice", ["-n", "5", process.execPath, "bin/prepare-testing.ts"]);
  const units = await testUnits(shardArguments);
  const isBuilt = await step("Pages", () => building);
  const failed = isPrepared && isBuilt ? [] : ["The tests could not be prepared."];
  return [{ passed: 0, failed, skipped: [] }, units, await testBrowser(shardArguments)];
}

async function testChanged(): Promise<TestResults[]> {
  const { since, files } = listChanged(base);
  const { unit, browser } = findAffected(files);
  const results: TestResults[] = [];
  if (unit === "all") {
    results.push(await testUnits([]));
  } else if (unit === "changed") {
    const related = await read(command("vitest"), [
      "list",
      "--config=test/vitest.config.ts",
      "--filesOnly",
      `--changed=${since}`,
    ]);
    const found = related.split("\n").flatMap((line) => /\S+\.test\.ts$/u.exec(line) ?? []);
    results.push(await testUnits([...new Set([...found, ...listUntraceable()])]));
  }
  if (browser !== "none") {
    results.push(
      await testBrowser(
        browser === "changed" ? [`--only-changed=${since}`, "--pass-with-no-tests"] : [],
      ),
    );
  }
  return results;
}

async function testUnits(args: readonly string[]): Promise<TestResults> {
  const ended = await step("Unit and integration tests", () =>
    run(
      command("vitest"),
      [
        "run",
        "--config=test/vitest.config.ts",
        "--reporter=default",
        "--reporter=json",
        "--reporter=./test/run/costs-reporter.ts",
        `--outputFile.json=${unitReport}`,
        ...args,
      ],
      { TEST_COSTS: costsReport },
    ),
  );
  return withExit(readResults(unitReport), ended);
}

async function testBrowser(args: readonly string[]): Promise<TestResults> {
  const ended = await step("Browser tests", () =>
    run(command("playwright"), ["test", "--config=e2e/playwright.config.ts", ...args], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
    }),
  );
  return withExit(readResults(browserReport), ended);
}

/** A runner that failed without a failed test failed too. */
function withExit(result: TestResults, ended: boolean): TestResults {
  return ended || result.failed.length > 0
    ? result
    : { ...result, failed: ["The tests passed, and their runner failed."] };
}
