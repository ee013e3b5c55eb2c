import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { command, run, say, step } from "./steps.ts";
import { readOutcome } from "./test-outcome.ts";

const reports = mkdtempSync(path.join(tmpdir(), "floatdeck-reports-"));
try {
  process.exitCode = await test();
} finally {
  rmSync(reports, { recursive: true, force: true });
}

/**
 * Runs checks, unit and integration tests, and then the browser tests against the production build. The last
 * lines name what failed, and count.
 */
async function test(): Promise<number> {
  const checked = await step("Checks", () => run(process.execPath, ["bin/check.ts"]));
  const unitReport = path.join(reports, "unit.json");
  const unit = await step("Unit and integration tests", () =>
    run(command("vitest"), [
      "run",
      "--config=db/testing/vitest.config.ts",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${unitReport}`,
    ]),
  );
  const browserReport = path.join(reports, "browser.json");
  const browser = await step("Browser tests", () =>
    run(command("playwright"), ["test", "--config=e2e/playwright.config.ts"], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
    }),
  );
  const outcomes = [readOutcome(unitReport), readOutcome(browserReport)];
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  if (!checked) {
    say("The checks failed.");
  }
  for (const name of failed) {
    say(`FAILED: ${name}`);
  }
  process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  return checked && unit && browser && failed.length === 0 && passed > 0 ? 0 : 1;
}
