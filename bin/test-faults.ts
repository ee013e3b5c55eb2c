import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { LENGTH } from "#test/faults/length.ts";
import { ProcessorSeconds } from "./processor-seconds.ts";
import { command, run, say } from "./steps.ts";
import { readResults } from "./test-results.ts";
import { findFailedSkips } from "./test-skips.ts";

/**
 * Kills, freezes, and disconnects the processes the product depends on, and checks that no cent was lost: each fault in
 * seconds, or with `--long` more often. Other arguments are names of files.
 */
const { values, positionals } = parseArgs({
  options: { long: { type: "boolean", default: false } },
  allowPositionals: true,
});
const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-reports-"));
const report = path.join(folder, "faults.json");
const processorSeconds = new ProcessorSeconds();
const isPassed = await run(
  command("vitest"),
  [
    "run",
    "--config=test/faults/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...positionals,
  ],
  { [LENGTH]: values.long ? "long" : "short" },
);
say(processorSeconds.stop());
const failedSkips = findFailedSkips(readResults(report));
rmSync(folder, { recursive: true, force: true });
for (const line of failedSkips) {
  say(`FAILED: ${line}`);
}
process.exitCode = isPassed && failedSkips.length === 0 ? 0 : 1;
