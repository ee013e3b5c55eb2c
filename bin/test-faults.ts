import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LENGTH } from "#test/faults/length.ts";
import { ProcessorSeconds } from "./processor-seconds.ts";
import { readArguments } from "./script-arguments.ts";
import { command, run, say } from "./steps.ts";
import { readResults } from "./test-results.ts";
import { findFailedSkips } from "./test-skips.ts";

const { values, positionals } = readArguments({
  usage: "npm run test:faults -- [file …] [options]",
  summary:
    "Kill, freeze, and disconnect the processes that the product depends on, and check that no cent is lost",
  options: {
    long: { type: "boolean", default: false, about: "provoke each fault more often" },
  },
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
