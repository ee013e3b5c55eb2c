import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { command, run, say, step } from "./steps.ts";

interface Count {
  passed: number;
  failed: number;
}

const reports = mkdtempSync(path.join(tmpdir(), "floatdeck-reports-"));
try {
  process.exitCode = await test();
} finally {
  rmSync(reports, { recursive: true, force: true });
}

/**
 * Runs checks, unit and integration tests, and then the browser tests against the production build. The last
 * line is the count.
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
  const counts = [unitReport, browserReport].map(readCount);
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const broken = [checked, unit, browser].filter((ok) => !ok).length;
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  if (!checked) {
    say("The checks failed.");
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return broken === 0 && failed === 0 && passed > 0 ? 0 : 1;
}

interface Report {
  /** vitest's */
  numPassedTests?: number;
  numFailedTests?: number;
  /** Playwright's */
  stats?: { expected: number; unexpected: number };
}

/** A missing report counts as a failure. */
function readCount(file: string): Count {
  if (!existsSync(file)) {
    return { passed: 0, failed: 1 };
  }
  const report: Report = JSON.parse(readFileSync(file, "utf8"));
  return {
    passed: report.numPassedTests ?? report.stats?.expected ?? 0,
    failed: report.numFailedTests ?? report.stats?.unexpected ?? 0,
  };
}
